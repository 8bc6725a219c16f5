package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code $collStats} and {@code $currentOp} count and list. */
@ExtendWith(DriverFixture.Extension.class)
class ServerFiguresTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static Document collStats(DriverFixture fixture, String collection, String parts) {
    return fixture
        .collection(collection)
        .aggregate(List.of(Document.parse("{$collStats: " + parts + "}")))
        .first();
  }

  private static Document latencies(DriverFixture fixture, String collection, String options) {
    return collStats(fixture, collection, "{latencyStats: " + options + "}")
        .get("latencyStats", Document.class);
  }

  private static long operations(Document latencies, String kind) {
    return latencies.get(kind, Document.class).getLong("ops");
  }

  /** A database that does not exist is on no shard. */
  @BeforeEach
  void createDatabase(DriverFixture fixture) {
    fixture.database().createCollection("other");
  }

  @Test
  void latenciesAreCountedByKind(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("timed");
    Document before = latencies(fixture, "timed", "{}");
    collection.insertOne(new Document("_id", 1));
    collection.updateOne(Filters.eq("_id", 1), new Document("$set", new Document("a", 1)));
    collection.find().first();
    collection.createIndex(new Document("a", 1));
    Document after = latencies(fixture, "timed", "{histograms: true}");
    assertThat(operations(after, "writes") - operations(before, "writes")).isEqualTo(2);
    // The find, and the look before it.
    assertThat(operations(after, "reads") - operations(before, "reads")).isEqualTo(2);
    assertThat(operations(after, "commands") - operations(before, "commands")).isEqualTo(1);
    assertThat(after.get("transactions", Document.class))
        .isEqualTo(new Document("histogram", List.of()).append("latency", 0L).append("ops", 0L));
    assertThat(before.get("writes", Document.class)).doesNotContainKey("histogram");
    Document writes = after.get("writes", Document.class);
    assertThat(writes.keySet()).containsExactly("histogram", "latency", "ops");
    List<Document> histogram = writes.getList("histogram", Document.class);
    assertThat(histogram.stream().mapToLong(bucket -> bucket.getLong("count")).sum())
        .isEqualTo(writes.getLong("ops"));
    assertThat(histogram).extracting(bucket -> bucket.getLong("micros")).isSorted();
  }

  @Test
  void viewsHaveLatenciesAndNothingElse(DriverFixture fixture) {
    fixture.collection("src").insertOne(new Document("_id", 1));
    fixture.database().createView("v", "src", List.of());
    Document before = latencies(fixture, "v", "{}");
    fixture.collection("v").find().first();
    assertThat(operations(latencies(fixture, "v", "{}"), "reads"))
        .isEqualTo(operations(before, "reads") + 2);
    for (String part : List.of("storageStats", "count", "queryExecStats")) {
      MongoCommandException e =
          catchThrowableOfType(
              MongoCommandException.class, () -> collStats(fixture, "v", "{" + part + ": {}}"));
      assertThat(e.getErrorCode()).as(part).isEqualTo(166);
    }
  }

  @Test
  void whatIsNotThereHasNoCount(DriverFixture fixture) {
    assertThat(operations(latencies(fixture, "nosuch", "{}"), "writes")).isZero();
    assertThat(collStats(fixture, "nosuch", "{storageStats: {}}")).containsKey("storageStats");
    for (String part : List.of("count", "queryExecStats")) {
      MongoCommandException e =
          catchThrowableOfType(
              MongoCommandException.class,
              () -> collStats(fixture, "nosuch", "{" + part + ": {}}"));
      assertThat(e.getErrorCode()).isEqualTo(26);
      assertThat(e.getErrorMessage())
          .endsWith(
              "Unable to retrieve "
                  + part
                  + " in $collStats stage :: caused by :: Collection [driver_tests.nosuch] not"
                  + " found.");
    }
  }

  @Test
  void scansOfTheCollectionAreCounted(DriverFixture fixture) {
    fixture
        .database()
        .createCollection("log", new CreateCollectionOptions().capped(true).sizeInBytes(4096));
    MongoCollection<Document> log = fixture.collection("log");
    log.insertOne(new Document("_id", 1));
    assertThat(scans(fixture)).isEqualTo(new Document("total", 0L).append("nonTailable", 0L));
    log.find(Filters.eq("_id", 1)).first();
    log.find(Filters.eq("a", 1)).first();
    try (MongoCursor<Document> tail =
        log.find().cursorType(CursorType.Tailable).limit(1).iterator()) {
      tail.tryNext();
    }
    assertThat(scans(fixture)).isEqualTo(new Document("total", 2L).append("nonTailable", 1L));
  }

  private static Document scans(DriverFixture fixture) {
    return collStats(fixture, "log", "{queryExecStats: {}}")
        .get("queryExecStats", Document.class)
        .get("collectionScans", Document.class);
  }

  private static List<Document> currentOp(DriverFixture fixture, String options, String filter) {
    MongoDatabase admin = fixture.client().getDatabase("admin");
    return admin
        .aggregate(
            List.of(
                Document.parse("{$currentOp: " + options + "}"),
                Document.parse("{$match: " + filter + "}")))
        .into(new ArrayList<>());
  }

  @Test
  void idleCursorsAreShownOnRequest(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("many");
    collection.insertMany(
        IntStream.range(0, 10).mapToObj(i -> new Document("_id", i).append("a", i)).toList());
    String idle = "{type: 'idleCursor', ns: 'driver_tests.many'}";
    try (MongoCursor<Document> cursor =
        collection.find(Filters.gte("a", 0)).batchSize(3).noCursorTimeout(true).iterator()) {
      for (int i = 0; i < 4; i++) {
        cursor.next();
      }
      assertThat(currentOp(fixture, "{localOps: true}", idle)).isEmpty();
      List<Document> shown = currentOp(fixture, "{idleCursors: true, localOps: true}", idle);
      assertThat(shown).hasSize(1);
      Document about = shown.getFirst().get("cursor", Document.class);
      assertThat(about)
          .containsEntry("cursorId", cursor.getServerCursor().getId())
          .containsEntry("nDocsReturned", 6L)
          .containsEntry("nBatchesReturned", 2L)
          .containsEntry("noCursorTimeout", true)
          .containsEntry("tailable", false)
          .containsEntry("awaitData", false);
      assertThat(about.get("originatingCommand", Document.class))
          .containsEntry("find", "many")
          .containsEntry("filter", Document.parse("{a: {$gte: 0}}"));
      Date created = about.getDate("createdDate");
      assertThat(about.getDate("lastAccessDate")).isAfterOrEqualTo(created);
      assertThat(shown.getFirst()).containsKey("lsid");
      assertThat(currentOp(fixture, "{}", idle)).isEmpty();
      assertThat(currentOp(fixture, "{idleCursors: true}", idle))
          .isNotEmpty()
          .allSatisfy(
              each ->
                  assertThat(each.get("cursor", Document.class))
                      .containsEntry("planSummary", "COLLSCAN")
                      .containsEntry("tailable", false)
                      .containsKeys("cursorId", "nDocsReturned", "originatingCommand"));
    }
    assertThat(currentOp(fixture, "{idleCursors: true, localOps: true}", idle)).isEmpty();
    Eventually.holds(
        "no cursor is left",
        PATIENCE,
        () -> currentOp(fixture, "{idleCursors: true}", idle).isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {idleCursors: 1}      | 9   | The 'idleCursors' parameter of the $currentOp stage must be a boolean value, but found: int
          {idleSessions: 'x'}   | 9   | The 'idleSessions' parameter of the $currentOp stage must be a boolean value, but found: string
          {allUsers: null}      | 14  | The 'allUsers' parameter of the $currentOp stage must be a boolean value, but found: null
          {nosuch: true}        | 9   | Unrecognized option 'nosuch' in $currentOp stage.
          {backtrace: true}     | 238 | $currentOp: backtrace is not supported: no stacks are kept
          """)
  void refusesOtherOptions(String options, int code, String message, DriverFixture fixture) {
    MongoCommandException e =
        catchThrowableOfType(MongoCommandException.class, () -> currentOp(fixture, options, "{}"));
    assertThat(e.getErrorCode()).isEqualTo(code);
    assertThat(e.getErrorMessage()).isEqualTo(message);
  }
}
