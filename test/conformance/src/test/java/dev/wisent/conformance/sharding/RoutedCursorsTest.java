package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The lives of cursors through a router, and of those on shards behind them. */
@ExtendWith(SharedCluster.class)
class RoutedCursorsTest {
  private static final String NAME = "cursors";
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static TestCluster cluster;
  private static MongoDatabase database;

  @BeforeAll
  static void fill(TestCluster shared) {
    cluster = shared;
    database = cluster.client().getDatabase(NAME);
    cluster.shardAt(NAME + ".c", "k", 200, 400);
    database
        .getCollection("c")
        .insertMany(
            IntStream.range(0, 600).mapToObj(i -> new Document("_id", i).append("k", i)).toList());
  }

  /** The cursors that are open on shards for a collection. */
  private static long openOnShards(String collection) {
    long open = 0;
    for (int i = 0; i < 3; i++) {
      open +=
          cluster
              .shard(i)
              .getDatabase("admin")
              .aggregate(
                  List.of(
                      Document.parse("{$currentOp: {allUsers: true, idleCursors: true}}"),
                      Document.parse(
                          "{$match: {ns: '%s.%s', cursor: {$exists: true}}}"
                              .formatted(NAME, collection))))
              .into(new ArrayList<>())
              .size();
    }
    return open;
  }

  private static void awaitNoneOnShards() {
    Eventually.passes(WAIT, () -> assertThat(openOnShards("c")).isZero());
  }

  private static Document find(String options) {
    return database
        .runCommand(Document.parse("{find: 'c', batchSize: 5" + options + "}"))
        .get("cursor", Document.class);
  }

  @Test
  void cursorsOnShardsEndWithTheClientsCursor() {
    Document cursor = find(", sort: {_id: 1}");
    assertThat(openOnShards("c")).isEqualTo(3);
    database.runCommand(
        new Document("killCursors", "c").append("cursors", List.of(cursor.getLong("id"))));
    awaitNoneOnShards();
    Document aggregated =
        database
            .runCommand(
                Document.parse(
                    "{aggregate: 'c', pipeline: [{$unionWith: 'c'}], cursor: {batchSize: 5}}"))
            .get("cursor", Document.class);
    assertThat(openOnShards("c")).isPositive();
    database.runCommand(
        new Document("killCursors", "c").append("cursors", List.of(aggregated.getLong("id"))));
    awaitNoneOnShards();
  }

  @Test
  void cursorsOnShardsEndWithALimit() {
    assertThat(find(", limit: 7, singleBatch: true").getLong("id")).isZero();
    awaitNoneOnShards();
    Document cursor = find(", limit: 7, sort: {_id: 1}");
    assertThat(
            database
                .runCommand(new Document("getMore", cursor.getLong("id")).append("collection", "c"))
                .get("cursor", Document.class)
                .getList("nextBatch", Document.class))
        .hasSize(2);
    awaitNoneOnShards();
  }

  @Test
  void cursorsOnShardsEndWithTheSession() {
    try (MongoClient client = MongoClients.create(cluster.uri());
        var session = client.startSession()) {
      MongoCursor<Document> cursor =
          client.getDatabase(NAME).getCollection("c").find(session).batchSize(5).iterator();
      assertThat(cursor.next()).isNotNull();
      assertThat(openOnShards("c")).isPositive();
      client
          .getDatabase("admin")
          .runCommand(
              new Document("killSessions", List.of(session.getServerSession().getIdentifier())));
      awaitNoneOnShards();
    }
  }

  @Test
  void aFailedScatterLeavesNoCursors() {
    assertThatThrownBy(
            () ->
                database.runCommand(
                    Document.parse(
                        "{find: 'c', filter: {$expr: {$divide: [1, {$subtract: ['$k', 250]}]}},"
                            + " batchSize: 100}")))
        .isInstanceOf(MongoCommandException.class);
    awaitNoneOnShards();
  }

  @Test
  void aShardThatIsAwayIsLeftOutOnRequest() {
    MongoDatabase away = cluster.shard(1).getDatabase("admin");
    away.runCommand(
        Document.parse(
            "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data:"
                + " {failCommands: ['find'], namespace: 'cursors.c', errorCode: 6}}"));
    try {
      assertThatThrownBy(() -> find(", sort: {_id: 1}")).isInstanceOf(MongoCommandException.class);
      awaitNoneOnShards();
      Document cursor = find(", sort: {_id: 1}, allowPartialResults: true");
      assertThat(cursor).containsEntry("partialResultsReturned", true);
      assertThat(cursor.getList("firstBatch", Document.class)).hasSize(5);
      assertThat(find(", filter: {k: 3}, allowPartialResults: true"))
          .doesNotContainKey("partialResultsReturned");
      database.runCommand(
          new Document("killCursors", "c").append("cursors", List.of(cursor.getLong("id"))));
      awaitNoneOnShards();
    } finally {
      away.runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
    }
  }

  @Test
  void aTimeLimitEndsAllParts() {
    MongoCollection<Document> all = database.getCollection("c");
    assertThatThrownBy(
            () ->
                all.find(
                        Document.parse(
                            "{$where: 'function() { while (this.k == 250) {} return true; }'}"))
                    .maxTime(300, TimeUnit.MILLISECONDS)
                    .into(new ArrayList<>()))
        .isInstanceOf(MongoExecutionTimeoutException.class);
    awaitNothingRunsOnShards();
    awaitNoneOnShards();
  }

  @Test
  void killOpEndsAllParts() {
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () ->
                database
                    .getCollection("c")
                    .find(Document.parse("{$where: 'function() { while (true) {} return true; }'}"))
                    .comment("endless")
                    .into(new ArrayList<>()));
    Eventually.passes(WAIT, () -> assertThat(runningOnRouter()).hasSize(1));
    cluster.admin(new Document("killOp", 1).append("op", runningOnRouter().getFirst().get("opid")));
    assertThatThrownBy(running::join).hasRootCauseInstanceOf(MongoCommandException.class);
    awaitNothingRunsOnShards();
  }

  private static List<Document> runningOnRouter() {
    return cluster
        .client()
        .getDatabase("admin")
        .aggregate(
            List.of(
                Document.parse("{$currentOp: {localOps: true}}"),
                Document.parse("{$match: {'command.comment': 'endless'}}")))
        .into(new ArrayList<>());
  }

  private static void awaitNothingRunsOnShards() {
    Eventually.passes(
        WAIT,
        () -> {
          for (int i = 0; i < 3; i++) {
            assertThat(
                    cluster
                        .shard(i)
                        .getDatabase("admin")
                        .aggregate(
                            List.of(
                                Document.parse("{$currentOp: {}}"),
                                Document.parse("{$match: {ns: '%s.c'}}".formatted(NAME))))
                        .into(new ArrayList<>()))
                .isEmpty();
          }
        });
  }

  @Test
  void aTailableCursorGoesOnThroughARouter() {
    database.createCollection(
        "capped", new CreateCollectionOptions().capped(true).sizeInBytes(1 << 20));
    MongoCollection<Document> capped = database.getCollection("capped");
    capped.insertOne(new Document("_id", 1));
    try (MongoCursor<Document> tail =
        capped.find().cursorType(CursorType.TailableAwait).iterator()) {
      assertThat(tail.next()).containsEntry("_id", 1);
      capped.insertOne(new Document("_id", 2));
      assertThat(tail.next()).containsEntry("_id", 2);
      assertThat(tail.tryNext()).isNull();
      capped.insertOne(new Document("_id", 3));
      assertThat(tail.next()).containsEntry("_id", 3);
    }
    Eventually.passes(WAIT, () -> assertThat(openOnShards("capped")).isZero());
  }

  @Test
  void aChangeStreamOfAnUnshardedCollectionIsResumed() {
    database.createCollection("watched");
    MongoCollection<Document> watched = database.getCollection("watched");
    BsonDocument token;
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        watched.watch().cursor()) {
      watched.insertOne(new Document("_id", 1));
      ChangeStreamDocument<Document> first = stream.next();
      assertThat(first.getDocumentKey().getInt32("_id").getValue()).isEqualTo(1);
      token = stream.getResumeToken();
      watched.insertOne(new Document("_id", 2));
      watched.deleteOne(new Document("_id", 1));
      assertThat(stream.next().getFullDocument()).containsEntry("_id", 2);
    }
    try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
        watched.watch().resumeAfter(token).cursor()) {
      assertThat(stream.next().getFullDocument()).containsEntry("_id", 2);
      assertThat(stream.next().getOperationType().getValue()).isEqualTo("delete");
    }
    Eventually.passes(WAIT, () -> assertThat(openOnShards("watched")).isZero());
  }
}
