package dev.wisent.query.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentDiffTest {
  /** Long enough that a difference is shorter than the document. */
  private static final String PAD = "pad: '" + "x".repeat(200) + "'";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1, PAD}            | {a: 2, PAD}                  | {u: {a: 2}}",
        "{a: 1, PAD}            | {a: 1.0, PAD}                | {u: {a: 1.0}}",
        "{a: 1, PAD}            | {PAD}                        | {d: {a: false}}",
        "{PAD}                  | {PAD, b: 1}                  | {i: {b: 1}}",
        "{a: 1, PAD, c: 1}      | {PAD, c: 2, a: 1}            | {u: {c: 2}, i: {a: 1}}",
        "{a: 1, b: 1, c: 1, PAD}| {b: 2, PAD, d: 1}            "
            + "| {d: {a: false, c: false}, u: {b: 2}, i: {d: 1}}",
        "{a: {x: 1, PAD}}       | {a: {x: 2, PAD}}             | {sa: {u: {x: 2}}}",
        "{a: {x: 1}, PAD}       | {a: {x: 2}, PAD}             | {u: {a: {x: 2}}}",
        "{a: [1, {PAD}]}        | {a: [2, {PAD}]}              | {sa: {a: true, u0: 2}}",
        "{a: [1, {PAD}, 3]}     | {a: [1, {PAD}]}              | {sa: {a: true, l: 2}}",
        "{a: [1, {PAD}]}        | {a: [1, {PAD}, 3, 4]}        | {sa: {a: true, u2: 3, u3: 4}}",
        "{a: [1, {b: 1, PAD}]}  | {a: [1, {b: 2, PAD}]}        "
            + "| {sa: {a: true, s1: {u: {b: 2}}}}",
        "{a: [1], PAD}          | {a: {'0': 1}, PAD}           | {u: {a: {'0': 1}}}",
        "{'': {x: 1, PAD}}      | {'': {x: 2, PAD}}            | {s: {u: {x: 2}}}",
        "{a: 1, PAD}            | {a: 1, PAD}                  | {}",
        "{a: {b: 1, c: 1}}      | {a: {b: 2, c: 2}}            | {u: {a: {b: 2, c: 2}}}",
        "{}                     | {a: 1}                       | {i: {a: 1}}",
        "{a: [1, 2]}            | {a: [3, 4]}                  | {u: {a: [3, 4]}}",
      })
  void differencesHaveMongoDbsForm(String before, String after, String diff) {
    RawDocument a = parse(before);
    RawDocument b = parse(after);
    RawDocument found = DocumentDiff.between(a, b);
    assertThat(found).isEqualTo(RawDocument.parse(diff));
    assertThat(DiffApplier.apply(found, a)).isEqualTo(b);
  }

  private static RawDocument parse(String json) {
    return RawDocument.parse(json.replace("PAD", PAD));
  }

  @Test
  void fieldsOfTheSameNameCannotBeToldApart() {
    RawDocument before =
        new BsonBuilder().appendAll(parse("{PAD, a: 1}")).appendInt32("a", 2).toDocument();
    RawDocument after =
        new BsonBuilder().appendAll(parse("{PAD, a: 1}")).appendInt32("a", 3).toDocument();
    assertThat(DocumentDiff.between(before, after)).isNull();
    assertThat(DocumentDiff.between(parse("{PAD, a: 1}"), after)).isNull();
    assertThat(DocumentDiff.between(before, parse("{PAD, a: 1}"))).isNull();
  }

  @Test
  void elementsThatAreNotNamedByPositionAreWrittenWhole() {
    RawDocument odd =
        new BsonBuilder().appendArray("a", parse("{'1': 5, '0': {PAD}}")).toDocument();
    RawDocument even = parse("{a: [5, {PAD}]}");
    for (RawDocument[] pair : new RawDocument[][] {{odd, even}, {even, odd}}) {
      RawDocument diff = DocumentDiff.between(pair[0], pair[1]);
      assertThat(diff.get("u")).isEqualTo(RawValue.ofDocument(pair[1]));
    }
  }

  @Test
  void applyingMakesTheSecondVersionAndAgainChangesNothing() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      BsonDocument first = document(random, 4);
      RawDocument before = RawDocument.of(first);
      RawDocument after = RawDocument.of((BsonDocument) changed(first, random));
      RawDocument diff = DocumentDiff.between(before, after);
      RawDocument applied = DiffApplier.apply(diff, before);
      assertThat(applied).as("seed %d: %s on %s", seed, diff, before).isEqualTo(after);
      assertThat(DiffApplier.apply(diff, after)).as("seed %d: again", seed).isEqualTo(after);
    }
  }

  @Test
  void oldOrLaterVersionsAreTakenAsTheyAre() {
    assertThat(DiffApplier.apply(parse("{u: {a: 1}}"), parse("{b: 1}")))
        .isEqualTo(parse("{b: 1, a: 1}"));
    assertThat(DiffApplier.apply(parse("{sa: {u: {b: 1}}}"), parse("{a: 7}")))
        .isEqualTo(parse("{a: 7}"));
    assertThat(DiffApplier.apply(parse("{sa: {a: true, u3: 1}}"), parse("{a: [0]}")))
        .isEqualTo(parse("{a: [0, null, null, 1]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{x: {}}",
        "{u: 1}",
        "{sa: 1}",
        "{sa: {a: true, x0: 1}}",
        "{sa: {a: true, ux: 1}}",
        "{sa: {a: true, l: -1}}",
        "{sa: {a: true, u99999999: 1}}",
      })
  void whatIsNoDifferenceIsRefused(String diff) {
    assertThatThrownBy(() -> DiffApplier.apply(parse(diff), parse("{a: [1]}")))
        .isInstanceOf(CommandException.class);
  }

  private static BsonDocument document(Random random, int depth) {
    var document = new BsonDocument();
    int fields = random.nextInt(7);
    for (int i = 0; i < fields; i++) {
      document.put(name(random), value(random, depth));
    }
    return document;
  }

  private static String name(Random random) {
    return List.of("a", "b", "c", "d", "i", "u", "s", "l", "", "ä", "0", "sa")
        .get(random.nextInt(12));
  }

  private static BsonValue value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> new BsonInt32(random.nextInt(3));
      case 1 -> new BsonDouble(random.nextInt(3));
      case 2 -> new BsonString("v".repeat(random.nextInt(40)));
      case 3 -> BsonNull.VALUE;
      case 4 -> BsonBoolean.valueOf(random.nextBoolean());
      case 5, 6 -> document(random, depth - 1);
      default -> array(random, depth);
    };
  }

  private static BsonArray array(Random random, int depth) {
    var array = new BsonArray();
    int length = random.nextInt(13);
    for (int i = 0; i < length; i++) {
      array.add(value(random, depth - 1));
    }
    return array;
  }

  /** A version that has much in common with the one before. */
  private static BsonValue changed(BsonValue before, Random random) {
    if (random.nextInt(8) == 0) {
      return before.isDocument() ? document(random, 2) : value(random, 2);
    }
    if (before.isDocument()) {
      return changed(before.asDocument(), random);
    }
    if (before.isArray()) {
      var after = new BsonArray();
      before.asArray().forEach(e -> after.add(random.nextInt(4) == 0 ? changed(e, random) : e));
      int more = random.nextInt(7) - 3;
      for (; more > 0; more--) {
        after.add(value(random, 1));
      }
      for (; more < 0 && !after.isEmpty(); more++) {
        after.remove(random.nextInt(after.size()));
      }
      return after;
    }
    return before;
  }

  private static BsonDocument changed(BsonDocument before, Random random) {
    var names = new ArrayList<>(before.keySet());
    if (random.nextInt(5) == 0) {
      Collections.shuffle(names, random);
    }
    var after = new BsonDocument();
    for (String name : names) {
      switch (random.nextInt(6)) {
        case 0 -> {}
        case 1, 2 -> after.put(name, changed(before.get(name), random));
        default -> after.put(name, before.get(name));
      }
    }
    if (random.nextInt(3) == 0) {
      after.put(name(random), value(random, 1));
    }
    return after;
  }
}
