package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code $out}: what becomes of the target, and of everything when it fails. */
@ExtendWith(DriverFixture.Extension.class)
class OutStageTest {
  private static final String PREFIX = "PlanExecutor error during aggregation :: caused by :: ";
  private static final String OTHER_DATABASE = "driver_tests_out";

  private static void seed(DriverFixture fixture, int count) {
    fixture
        .collection("src")
        .insertMany(
            IntStream.range(0, count)
                .mapToObj(i -> new Document("_id", i).append("x", i % 10))
                .toList());
  }

  private static Document run(DriverFixture fixture, String command) {
    return fixture.database().runCommand(Document.parse(command));
  }

  private static Document out(DriverFixture fixture, String stages) {
    return run(fixture, "{aggregate: 'src', cursor: {}, pipeline: " + stages + "}");
  }

  private static void assertFails(DriverFixture fixture, String stages, int code, String message) {
    MongoCommandException e =
        catchThrowableOfType(MongoCommandException.class, () -> out(fixture, stages));
    assertThat(e).as(stages).isNotNull();
    assertThat(e.getErrorMessage()).isEqualTo(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
    assertNothingTemporaryLeft(fixture);
  }

  private static void assertNothingTemporaryLeft(DriverFixture fixture) {
    assertThat(
            fixture
                .database()
                .listCollections()
                .filter(Filters.regex("name", Pattern.compile("^tmp"))))
        .isEmpty();
  }

  @Test
  void createsACollection(DriverFixture fixture) {
    seed(fixture, 2500);

    Document reply = out(fixture, "[{$match: {x: {$lt: 5}}}, {$set: {y: 1}}, {$out: 'target'}]");

    Document cursor = reply.get("cursor", Document.class);
    assertThat(cursor.getList("firstBatch", Document.class)).isEmpty();
    assertThat(cursor.getLong("id")).isZero();
    assertThat(fixture.collection("target").countDocuments()).isEqualTo(1250);
    assertThat(fixture.collection("target").find(Filters.eq("_id", 12)).first())
        .isEqualTo(new Document("_id", 12).append("x", 2).append("y", 1));
    assertThat(run(fixture, "{validate: 'target'}").getBoolean("valid")).isTrue();
    assertNothingTemporaryLeft(fixture);
  }

  @Test
  void replacesACollectionWithItsOptionsAndIndexes(DriverFixture fixture) {
    seed(fixture, 20);
    run(fixture, "{create: 'target', validator: {old: {$exists: false}}}");
    fixture.collection("target").insertOne(new Document("_id", "before"));
    fixture
        .collection("target")
        .createIndex(Indexes.ascending("x", "_id"), new IndexOptions().unique(true).name("unique"));
    Document before =
        fixture.database().listCollections().filter(Filters.eq("name", "target")).first();

    out(fixture, "[{$out: {db: 'driver_tests', coll: 'target'}}]");

    assertThat(fixture.collection("target").countDocuments()).isEqualTo(20);
    Document after =
        fixture.database().listCollections().filter(Filters.eq("name", "target")).first();
    assertThat(after.get("options")).isEqualTo(before.get("options"));
    assertThat(after.get("info")).isNotEqualTo(before.get("info"));
    assertThat(fixture.collection("target").listIndexes())
        .extracting(index -> index.getString("name"))
        .containsExactly("_id_", "unique");
    assertThat(fixture.collection("target").find(Filters.eq("x", 3)).hintString("unique"))
        .hasSize(2);
  }

  @Test
  void nothingReplacesWithNothing(DriverFixture fixture) {
    seed(fixture, 5);
    fixture.collection("target").insertOne(new Document("_id", 1));

    out(fixture, "[{$match: {x: 77}}, {$out: 'target'}]");

    assertThat(fixture.collection("target").find()).isEmpty();
    assertThat(fixture.database().listCollectionNames()).contains("target");
    out(fixture, "[{$match: {x: 77}}, {$out: 'fresh'}]");
    assertThat(fixture.database().listCollectionNames()).contains("fresh");
  }

  @Test
  void theTargetMayBeTheSource(DriverFixture fixture) {
    seed(fixture, 3000);

    out(fixture, "[{$set: {y: '$x'}}, {$out: 'src'}]");

    assertThat(fixture.collection("src").countDocuments()).isEqualTo(3000);
    assertThat(fixture.collection("src").countDocuments(Filters.exists("y"))).isEqualTo(3000);
  }

  @Test
  void goesIntoOtherDatabases(DriverFixture fixture) {
    seed(fixture, 3);
    try {
      out(fixture, "[{$out: {db: '" + OTHER_DATABASE + "', coll: 'target'}}]");
      assertThat(fixture.client().getDatabase(OTHER_DATABASE).getCollection("target").find())
          .hasSize(3);
    } finally {
      fixture.client().getDatabase(OTHER_DATABASE).drop();
    }
  }

  @Test
  void aFailureLeavesTheTargetAsItWas(DriverFixture fixture) {
    seed(fixture, 2000);
    fixture.collection("target").insertOne(new Document("_id", "before"));
    fixture
        .collection("target")
        .createIndex(Indexes.ascending("x"), new IndexOptions().unique(true));

    assertThat(
            catchThrowableOfType(
                    MongoCommandException.class, () -> out(fixture, "[{$out: 'target'}]"))
                .getErrorCode())
        .isEqualTo(11000);

    assertThat(fixture.collection("target").find()).containsExactly(new Document("_id", "before"));
    assertNothingTemporaryLeft(fixture);
  }

  @Test
  void followsTheRulesOfTheTargetUnlessToldNotTo(DriverFixture fixture) {
    seed(fixture, 3);
    run(fixture, "{create: 'target', validator: {x: {$lt: 2}}}");
    assertFails(fixture, "[{$out: 'target'}]", 121, PREFIX + "Document failed validation");

    run(
        fixture,
        "{aggregate: 'src', cursor: {}, bypassDocumentValidation: true, pipeline: [{$out:"
            + " 'target'}]}");

    assertThat(fixture.collection("target").countDocuments()).isEqualTo(3);
  }

  @Test
  void someTargetsAreRefused(DriverFixture fixture) {
    seed(fixture, 3);
    run(fixture, "{create: 'capped', capped: true, size: 4096}");
    fixture.database().createView("view", "src", List.of());

    assertFails(
        fixture,
        "[{$out: 'capped'}]",
        17152,
        PREFIX + "namespace 'driver_tests.capped' is capped so it can't be used for $out");
    assertFails(
        fixture,
        "[{$out: 'view'}]",
        166,
        PREFIX + "Namespace driver_tests.view is a view, not a collection");
    assertFails(
        fixture, "[{$out: 'system.js'}]", 17385, "Can't $out to special collection: system.js");
    assertFails(
        fixture,
        "[{$out: {db: 'config', coll: 'c'}}]",
        31321,
        "Can't $out to internal database: config");
    assertFails(fixture, "[{$out: 'a$b'}]", 73, "Invalid $out target namespace, driver_tests.a$b");
    assertFails(
        fixture,
        "[{$out: 'c'}, {$limit: 1}]",
        40601,
        "$out can only be the final stage in the pipeline");
  }

  @Test
  void viewsAndExplainsWriteNothing(DriverFixture fixture) {
    seed(fixture, 3);
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> run(fixture, "{create: 'v', viewOn: 'src', pipeline: [{$out: 'x'}]}"));
    assertThat(e.getErrorCode()).isEqualTo(167);
    assertThat(e.getErrorMessage())
        .isEqualTo(
            "Invalid pipeline for view driver_tests.v :: caused by :: The aggregation stage $out in"
                + " location 0 of the pipeline cannot be used in the view definition of"
                + " driver_tests.v because it writes to disk");

    for (String verbosity : List.of("queryPlanner", "executionStats", "allPlansExecution")) {
      Document explained =
          run(
              fixture,
              "{explain: {aggregate: 'src', cursor: {}, pipeline: [{$out: 'x'}]}, verbosity: '"
                  + verbosity
                  + "'}");
      assertThat(explained.toJson()).contains("\"$out\"");
    }
    assertThat(fixture.database().listCollectionNames().into(new ArrayList<>()))
        .containsExactly("src");
  }

  @Test
  void readsThroughViews(DriverFixture fixture) {
    seed(fixture, 10);
    fixture.database().createView("v", "src", List.of(Document.parse("{$match: {x: {$gt: 6}}}")));
    run(fixture, "{aggregate: 'v', cursor: {}, pipeline: [{$out: 'target'}]}");
    assertThat(fixture.collection("target").countDocuments()).isEqualTo(3);
  }
}
