package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.unsharded;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of routers whose tables are not those of the shard. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VersionCheckTest {
  private static final Document KEY = new Document("k", 1);

  private TestShard shard;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    assertThat(
            failure(() -> shard.routed(new Document("count", "plain"), unsharded()))
                .getInt32("code")
                .getValue())
        .isEqualTo(203);
    shard.identify();
    shard.ownDatabase(1);
    shard.own("test.sharded", KEY, 3);
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  @BeforeEach
  void clear() {
    shard.client().getDatabase("test").getCollection("plain").deleteMany(new Document());
  }

  static Stream<Document> commands() {
    return Stream.of(
        Document.parse("{find: 'C'}"),
        Document.parse("{find: 'C', filter: {_id: 1}}"),
        Document.parse("{count: 'C'}"),
        Document.parse("{distinct: 'C', key: 'a'}"),
        Document.parse("{aggregate: 'C', pipeline: [], cursor: {}}"),
        Document.parse("{insert: 'C', documents: [{_id: 1}]}"),
        Document.parse("{update: 'C', updates: [{q: {}, u: {$set: {a: 1}}}]}"),
        Document.parse("{delete: 'C', deletes: [{q: {}, limit: 0}]}"),
        Document.parse("{findAndModify: 'C', query: {}, remove: true}"),
        Document.parse("{listIndexes: 'C'}"),
        Document.parse("{collStats: 'C'}"),
        Document.parse("{explain: {find: 'C'}}"));
  }

  private static Document of(Document command, String collection) {
    return Document.parse(command.toJson().replace("\"C\"", "\"" + collection + "\""));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aRequestForAnUnshardedCollectionMeetsAShardedOne(Document command) {
    BsonDocument error = failure(() -> shard.routed(of(command, "sharded"), unsharded()));
    assertThat(error.getInt32("code").getValue()).isEqualTo(13388);
    assertThat(error.getString("codeName").getValue()).isEqualTo("StaleConfig");
    assertThat(error.getString("ns").getValue()).isEqualTo("test.sharded");
    assertThat(error.getString("shardId").getValue()).isEqualTo("first");
    assertThat(error.getDocument("vReceived")).isEqualTo(unsharded().toBsonDocument());
    assertThat(error.getDocument("vWanted")).isEqualTo(version(3, 0).toBsonDocument());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aRequestForAShardedCollectionMeetsAnUnknownOne(Document command) {
    BsonDocument error = failure(() -> shard.routed(of(command, "plain"), version(3, 0)));
    assertThat(error.getInt32("code").getValue()).isEqualTo(13388);
    assertThat(error).doesNotContainKey("vWanted");
  }

  @Test
  void majorVersionsAreCompared() {
    Document count = new Document("count", "sharded").append("query", new Document("x", 1));
    assertThat(shard.routed(count, version(3, 0))).containsEntry("n", 0);
    assertThat(shard.routed(count, version(3, 7))).containsEntry("n", 0);
    for (int other : List.of(2, 4)) {
      BsonDocument error = failure(() -> shard.routed(count, version(other, 0)));
      assertThat(error.getInt32("code").getValue()).isEqualTo(13388);
      assertThat(error.getString("errmsg").getValue())
          .isEqualTo("version mismatch detected for test.sharded");
    }
    Document later = version(3, 0).append("t", new BsonTimestamp(200, 1));
    assertThat(failure(() -> shard.routed(count, later)).getString("errmsg").getValue())
        .isEqualTo("timestamp mismatch detected for test.sharded");
  }

  /** Between the commit of a shardCollection and the end of it a router may know more. */
  @Test
  void aRequestWaitsForTheTableOfACollectionThatIsBeingSharded() throws Exception {
    var database = shard.client().getDatabase("elsewhere");
    database.createCollection("new");
    Document count =
        Document.parse("{count: 'new', comment: 'waits'}").append("shardVersion", version(1, 0));
    var answer = CompletableFuture.supplyAsync(() -> database.runCommand(count));
    var running =
        List.of(
            Document.parse("{$currentOp: {}}"),
            Document.parse("{$match: {'command.comment': 'waits'}}"));
    while (shard.client().getDatabase("admin").aggregate(running).first() == null
        && !answer.isDone()) {
      Thread.onSpinWait();
    }
    shard.own("elsewhere.new", KEY, 1);
    assertThat(answer.get(1, TimeUnit.MINUTES)).containsEntry("n", 0);
  }

  @Test
  void staleRequestsAreCounted() {
    long before = staleErrors();
    Document count = new Document("count", "sharded").append("query", new Document("x", 1));
    assertThat(failure(() -> shard.routed(count, version(2, 0))).getInt32("code").getValue())
        .isEqualTo(13388);
    assertThat(staleErrors()).isEqualTo(before + 1);
  }

  private long staleErrors() {
    Document status = shard.admin(new Document("serverStatus", 1));
    assertThat(status.get("sharding", Document.class))
        .containsEntry("configsvrConnectionString", "config/127.0.0.1:1");
    Document statistics = status.get("shardingStatistics", Document.class);
    assertThat(statistics).containsEntry("countDonorMoveChunkStarted", 0L);
    return statistics.getLong("countStaleConfigErrors");
  }

  @Test
  void databaseVersionsAreCompared() {
    var database = shard.client().getDatabase("test");
    Document list = new Document("listCollections", 1);
    database.runCommand(new Document(list).append("databaseVersion", TestShard.databaseVersion(1)));
    BsonDocument error =
        failure(
            () ->
                database.runCommand(
                    new Document(list).append("databaseVersion", TestShard.databaseVersion(2))));
    assertThat(error.getInt32("code").getValue()).isEqualTo(249);
    assertThat(error.getString("db").getValue()).isEqualTo("test");
    assertThat(error.getDocument("vWanted").getInt32("lastMod").getValue()).isEqualTo(1);
    BsonDocument unknown =
        failure(
            () ->
                shard
                    .client()
                    .getDatabase("other")
                    .runCommand(
                        new Document("find", "c")
                            .append("shardVersion", unsharded())
                            .append("databaseVersion", TestShard.databaseVersion(1))));
    assertThat(unknown.getInt32("code").getValue()).isEqualTo(249);
    assertThat(unknown).doesNotContainKey("vWanted");
  }

  @Test
  void aBulkWriteHasAVersionForEachCollection() {
    Document bulk =
        new Document("bulkWrite", 1)
            .append(
                "ops",
                List.of(
                    new Document("insert", 0).append("document", new Document("_id", 1)),
                    new Document("insert", 1).append("document", new Document("_id", 1))))
            .append(
                "nsInfo",
                List.of(
                    new Document("ns", "test.plain")
                        .append("shardVersion", unsharded())
                        .append("databaseVersion", TestShard.databaseVersion(1)),
                    new Document("ns", "test.sharded").append("shardVersion", version(2, 0))));
    BsonDocument error = failure(() -> shard.admin(bulk));
    assertThat(error.getInt32("code").getValue()).isEqualTo(13388);
    assertThat(error.getString("ns").getValue()).isEqualTo("test.sharded");
    assertThat(shard.client().getDatabase("test").getCollection("plain").countDocuments()).isZero();
  }

  @Test
  void anExplainedCommandIsChecked() {
    Document inside =
        new Document(
            "explain", new Document("find", "sharded").append("shardVersion", unsharded()));
    assertThat(
            failure(() -> shard.client().getDatabase("test").runCommand(inside))
                .getInt32("code")
                .getValue())
        .isEqualTo(13388);
  }

  @Test
  void whatIsAvailableIsReadWithoutACheck() {
    shard.routed(
        new Document("find", "sharded").append("readConcern", new Document("level", "available")),
        version(9, 0));
  }

  @Test
  void versionsAreWellFormed() {
    Document count = new Document("count", "sharded");
    assertThatThrownBy(() -> shard.routed(count, new Document("e", TestShard.EPOCH)))
        .isInstanceOf(MongoCommandException.class)
        .hasMessageContaining("shardVersion.t");
  }

  @Test
  void onlyTheShardWritesItsTables() {
    for (String json :
        List.of(
            "{insert: 'shard.catalog.collections', documents: [{_id: 1}]}",
            "{drop: 'shard.catalog.chunks'}",
            "{delete: 'shard.catalog.databases', deletes: [{q: {}, limit: 0}]}")) {
      BsonDocument error =
          failure(() -> shard.client().getDatabase("config").runCommand(Document.parse(json)));
      assertThat(error.getInt32("code").getValue()).isEqualTo(20);
    }
    assertThat(shard.client().getDatabase("config").listCollectionNames())
        .contains("shard.catalog.collections");
  }

  @Test
  void aShardTellsWhatItOwns() {
    Document state = shard.admin(new Document("shardingState", 1));
    assertThat(state).containsEntry("enabled", true).containsEntry("shardName", "first");
    assertThat(state.get("versions", Document.class))
        .containsEntry("test.sharded", new BsonTimestamp(3, 0));
    Document version =
        shard.admin(new Document("getShardVersion", "test.sharded").append("fullMetadata", true));
    assertThat(version).containsEntry("global", new BsonTimestamp(3, 0));
    assertThat(version.get("metadata", Document.class)).containsEntry("keyPattern", KEY);
    assertThat(shard.admin(new Document("getShardVersion", "test.plain")))
        .containsEntry("global", "UNSHARDED");
    assertThat(
            shard
                .admin(new Document("getDatabaseVersion", "test"))
                .get("dbVersion", Document.class))
        .containsEntry("lastMod", 1);
  }

  @Test
  void aCoordinatorCanSayThingsTwice() {
    shard.identify();
    shard.ownDatabase(1);
    shard.own("test.twice", KEY, 1);
    shard.own("test.twice", KEY, 1);
    assertThat(failure(() -> shard.admin(TestShard.addShard("second"))).getInt32("code").getValue())
        .isEqualTo(20);
    shard.own("test.twice", KEY, 2);
    assertThat(failure(() -> shard.own("test.twice", KEY, 1)).getInt32("code").getValue())
        .isEqualTo(150);
    shard.admin(new Document("_shardsvrForgetCollection", "test.twice"));
    shard.admin(new Document("_shardsvrForgetCollection", "test.twice"));
    shard.routed(new Document("count", "twice"), unsharded());
    Document create =
        new Document("_shardsvrCreateCollection", "test.created")
            .append("uuid", TestShard.COLLECTION)
            .append("options", new Document("validator", new Document("a", 1)))
            .append(
                "indexes", List.of(new Document("key", KEY).append("name", "k_1").append("v", 2)));
    shard.admin(create);
    shard.admin(create);
    Document info =
        shard
            .client()
            .getDatabase("test")
            .listCollections()
            .filter(new Document("name", "created"))
            .first();
    assertThat(info.get("info", Document.class)).containsEntry("uuid", TestShard.COLLECTION);
    assertThat(shard.client().getDatabase("test").getCollection("created").listIndexes())
        .hasSize(2);
    Document other = new Document(create).append("uuid", TestShard.DATABASE);
    assertThat(failure(() -> shard.admin(other)).getInt32("code").getValue()).isEqualTo(48);
  }

  @Test
  void errorsOfWritesKeepTheirFields() {
    BsonDocument error =
        failure(
            () ->
                shard.routed(
                    Document.parse("{insert: 'sharded', documents: [{_id: 1}], ordered: false}"),
                    version(2, 0)));
    assertThat(error.getDocument("vWanted").get("v")).isEqualTo(new BsonTimestamp(3, 0));
    assertThat(error.get("writeErrors", new BsonArray()).asArray()).isEmpty();
  }
}
