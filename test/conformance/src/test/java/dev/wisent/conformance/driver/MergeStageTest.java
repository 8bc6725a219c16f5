package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $merge}: what each mode does, and what it needs. */
@ExtendWith(DriverFixture.Extension.class)
class MergeStageTest {
  private static final String PREFIX = "PlanExecutor error during aggregation :: caused by :: ";

  @BeforeEach
  void seed(DriverFixture fixture) {
    fixture
        .collection("src")
        .insertMany(List.of(Document.parse("{_id: 1, a: 10}"), Document.parse("{_id: 2, a: 20}")));
    fixture.collection("target").insertOne(Document.parse("{_id: 1, b: 5}"));
  }

  private static Document run(DriverFixture fixture, String command) {
    return fixture.database().runCommand(Document.parse(command));
  }

  private static Document merge(DriverFixture fixture, String argument) {
    return run(fixture, "{aggregate: 'src', cursor: {}, pipeline: [{$merge: " + argument + "}]}");
  }

  private static MongoCommandException fail(DriverFixture fixture, String argument) {
    MongoCommandException e =
        catchThrowableOfType(MongoCommandException.class, () -> merge(fixture, argument));
    assertThat(e).as(argument).isNotNull();
    return e;
  }

  private static List<Document> target(DriverFixture fixture) {
    return fixture.collection("target").find().sort(Sorts.ascending("_id")).into(new ArrayList<>());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          whenMatched: 'merge'                                | {_id: 1, b: 5, a: 10} | {_id: 2, a: 20}
          whenMatched: 'merge', whenNotMatched: 'discard'     | {_id: 1, b: 5, a: 10} |
          whenMatched: 'replace'                              | {_id: 1, a: 10}       | {_id: 2, a: 20}
          whenMatched: 'replace', whenNotMatched: 'discard'   | {_id: 1, a: 10}       |
          whenMatched: 'keepExisting'                         | {_id: 1, b: 5}        | {_id: 2, a: 20}
          whenMatched: [{$set: {sum: {$add: ['$b', '$$new.a']}}}] | {_id: 1, b: 5, sum: 15} | {_id: 2, a: 20}
          whenMatched: [{$set: {s: '$$y'}}], let: {y: {$multiply: ['$a', 3]}}, whenNotMatched: 'discard' | {_id: 1, b: 5, s: 30} |
          whenMatched: [{$replaceWith: '$$new'}], let: {new: '$$ROOT'} | {_id: 1, a: 10} | {_id: 2, a: 20}
          """)
  void modes(String modes, String first, String second, DriverFixture fixture) {
    Document reply = merge(fixture, "{into: 'target', " + modes + "}");

    assertThat(reply.get("cursor", Document.class).getList("firstBatch", Document.class)).isEmpty();
    var expected = new ArrayList<Document>();
    expected.add(Document.parse(first));
    if (second != null) {
      expected.add(Document.parse(second));
    }
    assertThat(target(fixture)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          whenMatched: 'merge'
          whenMatched: 'replace'
          whenMatched: []
          """)
  void whereNothingMatchesThatCanBeAnError(String modes, DriverFixture fixture) {
    MongoCommandException e =
        fail(fixture, "{into: 'target', whenNotMatched: 'fail', " + modes + "}");
    assertThat(e.getErrorCode()).isEqualTo(13113);
    assertThat(e.getErrorMessage())
        .isEqualTo(
            PREFIX
                + "$merge could not find a matching document in the target collection for at least"
                + " one document in the source collection");
  }

  @Test
  void whatMatchesCanBeAnError(DriverFixture fixture) {
    MongoCommandException e = fail(fixture, "{into: 'target', whenMatched: 'fail'}");

    assertThat(e.getErrorCode()).isEqualTo(11000);
    assertThat(e.getErrorMessage())
        .startsWith(PREFIX + "$merge failed due to a DuplicateKey error :: caused by :: E11000");
    assertThat(e.getResponse().getDocument("keyPattern").toJson()).isEqualTo("{\"_id\": 1}");
    // What could be inserted is there.
    assertThat(target(fixture))
        .containsExactly(Document.parse("{_id: 1, b: 5}"), Document.parse("{_id: 2, a: 20}"));
  }

  @Test
  void createsTheCollectionAndManyDocuments(DriverFixture fixture) {
    fixture
        .collection("src")
        .insertMany(
            IntStream.range(10, 2510)
                .mapToObj(i -> new Document("_id", i).append("a", i))
                .toList());

    merge(fixture, "'fresh'");
    merge(fixture, "{into: {db: 'driver_tests', coll: 'fresh'}, whenMatched: 'replace'}");

    assertThat(fixture.collection("fresh").countDocuments()).isEqualTo(2502);
    assertThat(run(fixture, "{validate: 'fresh'}").getBoolean("valid")).isTrue();
  }

  @Test
  void theTargetMayBeTheSource(DriverFixture fixture) {
    merge(fixture, "{into: 'src', whenMatched: [{$set: {a: {$add: ['$a', 1]}}}]}");
    assertThat(fixture.collection("src").find().sort(Sorts.ascending("_id")))
        .containsExactly(Document.parse("{_id: 1, a: 11}"), Document.parse("{_id: 2, a: 21}"));
  }

  @Test
  void otherKeysNeedAUniqueIndex(DriverFixture fixture) {
    fixture.collection("target").createIndex(Indexes.ascending("a"));
    MongoCommandException e = fail(fixture, "{into: 'target', on: 'a'}");
    assertThat(e.getErrorCode()).isEqualTo(51183);
    assertThat(e.getErrorMessage())
        .isEqualTo("Cannot find index to verify that join fields will be unique");
    assertThat(fail(fixture, "{into: 'missing', on: ['a', '_id']}").getErrorCode())
        .isEqualTo(51183);
    fixture
        .collection("target")
        .createIndex(
            Indexes.ascending("p"),
            new IndexOptions().unique(true).partialFilterExpression(Filters.gt("p", 1)));
    assertThat(fail(fixture, "{into: 'target', on: 'p'}").getErrorCode()).isEqualTo(51183);

    fixture.collection("target").drop();
    fixture.collection("target").insertOne(Document.parse("{_id: 'x', a: 10, b: 5}"));
    fixture
        .collection("target")
        .createIndex(Indexes.ascending("a"), new IndexOptions().unique(true));
    run(
        fixture,
        "{aggregate: 'src', cursor: {}, pipeline: [{$unset: '_id'}, {$set: {c: 1}}, {$merge:"
            + " {into: 'target', on: 'a'}}]}");
    assertThat(fixture.collection("target").find().sort(Sorts.ascending("a")).first())
        .isEqualTo(Document.parse("{_id: 'x', a: 10, b: 5, c: 1}"));
    assertThat(fixture.collection("target").countDocuments()).isEqualTo(2);

    MongoCommandException immutable =
        fail(fixture, "{into: 'target', on: 'a', whenMatched: 'replace'}");
    assertThat(immutable.getErrorCode()).isEqualTo(66);
    assertThat(immutable.getErrorMessage())
        .contains("$merge failed to update the matching document, did you attempt to modify the");
    assertThat(fail(fixture, "{into: 'target', on: 'a', whenNotMatched: 'fail'}").getErrorCode())
        .isEqualTo(13113);
  }

  @Test
  void keysAreValues(DriverFixture fixture) {
    fixture
        .collection("target")
        .createIndex(Indexes.ascending("k"), new IndexOptions().unique(true));
    assertThat(fail(fixture, "{into: 'target', on: 'k'}").getErrorCode()).isEqualTo(51132);
    fixture
        .collection("target")
        .createIndex(Indexes.geo2dsphere("place"), new IndexOptions().unique(true));
    assertThat(fail(fixture, "{into: 'target', on: 'place'}").getErrorCode()).isEqualTo(51183);
    fixture
        .collection("src")
        .updateMany(new Document(), new Document("$set", Document.parse("{k: [1]}")));
    assertThat(fail(fixture, "{into: 'target', on: 'k'}").getErrorCode()).isEqualTo(51185);
  }

  @Test
  void followsTheRulesOfTheTargetUnlessToldNotTo(DriverFixture fixture) {
    run(fixture, "{collMod: 'target', validator: {a: {$lt: 15}}}");
    MongoCommandException e = fail(fixture, "'target'");
    assertThat(e.getErrorCode()).isEqualTo(121);
    assertThat(e.getResponse().getDocument("errInfo").get("failingDocumentId").asInt32().getValue())
        .isEqualTo(2);

    run(
        fixture,
        "{aggregate: 'src', cursor: {}, bypassDocumentValidation: true, pipeline: [{$merge:"
            + " 'target'}]}");
    assertThat(fixture.collection("target").countDocuments()).isEqualTo(2);
  }

  @Test
  void someTargetsAreRefused(DriverFixture fixture) {
    fixture.database().createView("view", "src", List.of());
    MongoCommandException view = fail(fixture, "'view'");
    assertThat(view.getErrorCode()).isEqualTo(166);
    assertThat(view.getErrorMessage())
        .isEqualTo(PREFIX + "Namespace driver_tests.view is a view, not a collection");
    assertThat(fail(fixture, "{into: {db: 'local', coll: 'c'}}").getErrorMessage())
        .isEqualTo("Cannot $merge to internal database: local");
    assertThat(fail(fixture, "'a$b'").getErrorMessage())
        .isEqualTo("Invalid $merge target namespace: 'driver_tests.a$b'");
  }

  @Test
  void explainWritesNothing(DriverFixture fixture) {
    Document explained =
        run(
            fixture,
            "{explain: {aggregate: 'src', cursor: {}, pipeline: [{$merge: 'target'}]}, verbosity:"
                + " 'executionStats'}");
    assertThat(explained.toJson()).contains("\"$merge\"");
    assertThat(target(fixture)).containsExactly(Document.parse("{_id: 1, b: 5}"));
  }
}
