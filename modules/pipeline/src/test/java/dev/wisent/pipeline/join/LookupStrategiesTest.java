package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.StageRun;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random documents, joined in every way there is, and compared with what filters find for one
 * document after the other.
 */
class LookupStrategiesTest {
  private static final String STAGE =
      "[{$lookup: {from: 'f', localField: '%s', foreignField: '%s', as: 'r'}}]";

  private final Random random = new Random(Long.getLong("wisent.seed", 1));

  private void value(BsonBuilder out, String name, int depth) {
    switch (random.nextInt(depth > 2 ? 6 : 9)) {
      case 0 -> out.appendInt32(name, random.nextInt(40));
      case 1 -> out.appendDouble(name, random.nextInt(40) / 2.0);
      case 2 -> out.appendInt64(name, random.nextInt(40));
      case 3 -> out.appendString(name, "s" + random.nextInt(20));
      case 4 -> out.appendNull(name);
      case 5 -> {
        // Nothing.
      }
      case 6 -> {
        out.startArray(name);
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          value(out, Integer.toString(i), depth + 1);
        }
        out.end();
      }
      default -> {
        out.startDocument(name);
        value(out, "b", depth + 1);
        value(out, "c", depth + 1);
        out.end();
      }
    }
  }

  private List<RawDocument> documents(int count) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < count; i++) {
      var out = new BsonBuilder().appendInt32("_id", i);
      value(out, "a", 0);
      documents.add(out.toDocument());
    }
    return documents;
  }

  /** What a filter for the values of each document finds. */
  private static List<RawDocument> expected(
      List<RawDocument> input, List<RawDocument> foreign, String local, String foreignField) {
    var results = new ArrayList<RawDocument>();
    for (RawDocument document : input) {
      var out = new BsonBuilder().appendAll(document).startArray("r");
      MatchExpression filter = filter(values(document, local), foreignField);
      int count = 0;
      for (RawDocument other : foreign) {
        if (filter.matches(other)) {
          out.appendDocument(count++, other);
        }
      }
      results.add(out.end().toDocument());
    }
    return results;
  }

  private static MatchExpression filter(List<RawValue> values, String field) {
    var out = new BsonBuilder().startArray("$or");
    for (int i = 0; i < values.size(); i++) {
      out.startDocument(i).startDocument(field).append("$eq", values.get(i)).end().end();
    }
    return MatchParser.parse(out.end().toDocument(), StageFixture.CONTEXT);
  }

  private static List<RawValue> values(RawDocument document, String path) {
    var values = new ArrayList<RawValue>();
    collect(RawValue.ofDocument(document), path, values);
    return values.isEmpty() ? List.of(RawValue.NULL) : values;
  }

  private static void collect(RawValue at, String path, List<RawValue> values) {
    int dot = path.indexOf('.');
    RawValue value = at.asDocument().get(dot < 0 ? path : path.substring(0, dot));
    if (value == null) {
      return;
    }
    boolean array = value.type() == ElementType.ARRAY;
    List<RawValue> inside = array ? elements(value) : List.of(value);
    for (RawValue each : inside) {
      if (dot < 0) {
        values.add(each);
      } else if (each.isDocument()) {
        collect(each, path.substring(dot + 1), values);
      }
    }
  }

  private static List<RawValue> elements(RawValue array) {
    var values = new ArrayList<RawValue>();
    var elements = array.elements();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource({"a, a", "a.b, a.b", "a.b, a", "a, a.c"})
  void allGiveTheSame(String local, String foreignField) {
    List<RawDocument> input = documents(500);
    List<RawDocument> foreign = documents(150);
    List<RawDocument> expected = expected(input, foreign, local, foreignField);
    Pipeline pipeline = StageFixture.parse(STAGE.formatted(local, foreignField));

    var indexed = TestCollections.inMemory().with("f", foreign).indexed();
    assertThat(indexed.run(pipeline, input)).isEqualTo(expected);
    assertThat(indexed.opened()).isBetween(3, 10);

    var hashed = TestCollections.inMemory().with("f", foreign);
    assertThat(hashed.run(pipeline, input)).isEqualTo(expected);
    assertThat(hashed.opened()).isEqualTo(2);
    assertThat(hashed.filesCreated()).isZero();

    var spilled = TestCollections.withMemory(50_000, true).with("f", large(foreign));
    assertThat(small(spilled.run(pipeline, input))).isEqualTo(expected);
    assertThat(spilled.filesCreated()).isPositive();

    var noFiles = TestCollections.withMemory(50_000, false).with("f", large(foreign));
    assertThat(small(noFiles.run(pipeline, input))).isEqualTo(expected);

    var noRoom = TestCollections.withMemory(1000, true).with("f", foreign);
    assertThat(noRoom.run(pipeline, input)).isEqualTo(expected);

    for (var each : List.of(indexed, hashed, spilled, noFiles, noRoom)) {
      assertThat(each.open()).isZero();
      each.close();
      assertThat(each.openFiles()).isZero();
    }
  }

  /** The same documents, with something that takes room. */
  private static List<RawDocument> large(List<RawDocument> documents) {
    String text = "x".repeat(2000);
    return documents.stream()
        .map(each -> new BsonBuilder().appendAll(each).appendString("t", text).toDocument())
        .toList();
  }

  private static List<RawDocument> small(List<RawDocument> joined) {
    return StageFixture.drain(
        StageFixture.parse("[{$unset: 'r.t'}]")
            .over(StageFixture.stream(joined), 0, StageRun.inMemory()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void gathersLessWhereDocumentsHaveManyPartners(boolean indexed) {
    String text = "x".repeat(100_000);
    var foreign = new ArrayList<RawDocument>();
    for (int i = 0; i < 200; i++) {
      foreign.add(
          new BsonBuilder()
              .appendInt32("_id", i)
              .appendInt32("a", 1)
              .appendString("t", text)
              .toDocument());
    }
    var collections = TestCollections.inMemory().with("f", foreign);
    if (indexed) {
      collections.indexed();
    }
    Pipeline pipeline =
        StageFixture.parse(
            "[{$lookup: {from: 'f', localField: 'a', foreignField: 'a', as: 'r',"
                + " pipeline: [{$limit: 1}, {$unset: 't'}]}}]");
    var input = new ArrayList<RawDocument>();
    for (int i = 0; i < 40; i++) {
      input.add(RawDocument.parse("{a: 1}"));
    }
    assertThat(collections.run(pipeline, input))
        .hasSize(40)
        .containsOnly(RawDocument.parse("{a: 1, r: [{_id: 0, a: 1}]}"));
  }

  @Test
  void readsEverythingWhenAnIndexIsAskedTooOften() {
    var input = new ArrayList<RawDocument>();
    for (int i = 0; i < 10_000; i++) {
      input.add(RawDocument.parse("{_id: " + i + "}"));
    }
    var collections = TestCollections.inMemory().with("f", "[{_id: 9999}, {_id: 0}]").indexed();
    List<RawDocument> joined =
        collections.run(StageFixture.parse(STAGE.formatted("_id", "_id")), input);
    assertThat(collections.opened()).isLessThan(10);
    assertThat(joined.getFirst()).isEqualTo(RawDocument.parse("{_id: 0, r: [{_id: 0}]}"));
    assertThat(joined.getLast()).isEqualTo(RawDocument.parse("{_id: 9999, r: [{_id: 9999}]}"));
    assertThat(joined.get(5000)).isEqualTo(RawDocument.parse("{_id: 5000, r: []}"));
  }

  @Test
  void keepsTheOrderOfTheInput() {
    var input = new ArrayList<RawDocument>();
    for (int i = 0; i < 1000; i++) {
      input.add(RawDocument.parse("{_id: " + i + "}"));
    }
    var collections = TestCollections.inMemory().with("f", "[{_id: 999}, {_id: 0}]");
    var ids = new ArrayList<Integer>();
    collections
        .run(StageFixture.parse(STAGE.formatted("_id", "_id")), input)
        .forEach(each -> ids.add(each.get("_id").asInt32()));
    assertThat(ids).isSorted().hasSize(1000);
  }
}
