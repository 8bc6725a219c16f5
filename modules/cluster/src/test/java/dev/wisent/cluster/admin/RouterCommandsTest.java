package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands of a router: what they take, what they answer, and what they refuse. */
class RouterCommandsTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static void assertFails(String command, int code, String message) {
    BsonDocument reply = CLUSTER.fail("admin", command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "resetPlacementHistory, there is no config.placementHistory",
    "repairShardedCollectionChunksHistory, every chunk has a history"
  })
  void whatHasNothingToDoIsRefused(String command, String reason) {
    assertFails("{" + command + ": 'a.b'}", 238, "is not supported: " + reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{addShard: 'a/b:1', x: 1}                           | addShard.x",
        "{removeShard: 'a', x: 1}                            | removeShard.x",
        "{listShards: 1, x: 1}                               | listShards.x",
        "{transitionToDedicatedConfigServer: 1, x: 1}        | transitionToDedicatedConfigServer.x",
        "{enableSharding: 'a', x: 1}                         | enableSharding.x",
        "{shardCollection: 'a.b', key: {a: 1}, x: 1}         | shardCollection.x",
        "{refineCollectionShardKey: 'a.b', x: 1}             | refineCollectionShardKey.x",
        "{movePrimary: 'a', to: 'b', x: 1}                   | movePrimary.x",
        "{mergeChunks: 'a.b', bounds: [{}, {}], x: 1}        | mergeChunks.x",
        "{split: 'a.b', middle: {a: 1}, x: 1}                | split.x",
        "{clearJumboFlag: 'a.b', find: {a: 1}, x: 1}         | clearJumboFlag.x",
        "{addShardToZone: 'a', zone: 'z', x: 1}              | addShardToZone.x",
        "{removeShardFromZone: 'a', zone: 'z', x: 1}         | removeShardFromZone.x",
        "{updateZoneKeyRange: 'a.b', x: 1}                   | updateZoneKeyRange.x",
        "{balancerStart: 1, x: 1}                            | balancerStart.x",
        "{balancerStop: 1, x: 1}                             | balancerStop.x",
        "{balancerStatus: 1, x: 1}                           | balancerStatus.x",
        "{setAllowMigrations: 'a.b', x: 1}                   | setAllowMigrations.x",
        "{recreateRangeDeletionTasks: 'a.b', x: 1}           | recreateRangeDeletionTasks.x",
        "{configureCollectionBalancing: 'a.b', x: 1}         | configureCollectionBalancing.x",
        "{getShardVersion: 'a.b', x: 1}                      | getShardVersion.x",
        "{getDatabaseVersion: 'a', x: 1}                     | getDatabaseVersion.x",
        "{checkMetadataConsistency: 1, x: 1}                 | checkMetadataConsistency.x",
      })
  void unknownOptionsAreNamedAsTheClientDoes(String command, String field) {
    assertFails(command, 40415, "BSON field '" + field + "' is an unknown field");
  }

  @Test
  void missingAndWrongOptionsAreNamedAsTheClientDoes() {
    assertFails("{shardCollection: 'a.b'}", 40414, "BSON field 'shardCollection.key' is missing");
    assertFails("{addShardToZone: 'a'}", 40414, "BSON field 'addShardToZone.zone' is missing");
    assertFails(
        "{setAllowMigrations: 'a.b'}", 40414, "'setAllowMigrations.allowMigrations' is missing");
    assertFails("{shardCollection: 1}", 14, "BSON field 'shardCollection.shardCollection'");
    assertFails("{enableSharding: 1}", 14, "BSON field 'enableSharding.enableSharding'");
    assertFails("{movePrimary: 1}", 14, "BSON field 'movePrimary.movePrimary'");
  }

  @Test
  void chunksAreMergedByTheirBounds() {
    CLUSTER.create("merged", 0);
    CLUSTER.admin("{shardCollection: 'merged.c', key: {k: 1}}");
    CLUSTER.admin("{split: 'merged.c', middle: {k: 0}}");
    assertFails("{mergeChunks: 'merged.c'}", 72, "no bounds were specified");
    assertFails("{mergeChunks: 'merged.c', bounds: [{k: 1}]}", 72, "only a min and max bound");
    assertFails(
        "{mergeChunks: 'merged.c', bounds: [{x: 1}, {x: 2}]}", 72, "are not valid for shard key");
    assertFails("{mergeChunks: 'merged.c', bounds: [{k: 1}, {k: 2}]}", 20, "could not merge");
    assertFails("{mergeChunks: 'merged.x', bounds: [{k: 1}, {k: 2}]}", 118, "sharded");
    CLUSTER.admin("{mergeChunks: 'merged.c', bounds: [{k: {$minKey: 1}}, {k: {$maxKey: 1}}]}");
    assertThat(chunks("merged.c")).isEqualTo(1);
  }

  private static long chunks(String namespace) {
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq(namespace)).first();
    return CLUSTER.metadata("chunks").countDocuments(Filters.eq("uuid", collection.get("uuid")));
  }

  @Test
  void splitVectorIsForWhatIsNotSharded() {
    CLUSTER.create("vector", 1);
    CLUSTER.collection("vector.c").insertMany(AdminCluster.documents(1000));
    CLUSTER.shardByK("vector.sharded");
    String vector = "{splitVector: 'vector.%s', keyPattern: {_id: 1}, maxChunkSizeBytes: 8192}";
    assertThat(CLUSTER.admin(vector.formatted("c")).getArray("splitKeys")).isNotEmpty();
    assertFails(vector.formatted("sharded"), 20, "splitVector on sharded collection");
  }

  @Test
  void aCollectionIsShardedOnlyUnderItsUuid() {
    CLUSTER.create("uuids", 0);
    assertFails(
        "{shardCollection: 'uuids.none', key: {k: 1},"
            + " collectionUUID: {$uuid: '00000000-0000-4000-8000-000000000000'}}",
        361,
        "Collection UUID does not match that specified");
  }

  @Test
  void theCatalogTellsWhereCollectionsAre() {
    CLUSTER.create("located", 1);
    CLUSTER.shardByK("located.spread");
    CLUSTER.collection("located.plain").insertOne(new Document());
    String list =
        "{aggregate: 1, pipeline: [{$listClusterCatalog: {shards: true, tracked: true,"
            + " balancingConfiguration: true}}, {$match: {ns: 'located.%s'}}], cursor: {}}";
    for (String database : List.of("located", "admin")) {
      BsonDocument spread =
          batch(CLUSTER.run(database, list.formatted("spread"))).getFirst().asDocument();
      assertThat(spread)
          .containsEntry("sharded", BsonBoolean.TRUE)
          .containsEntry("tracked", BsonBoolean.TRUE)
          .containsEntry("shardKey", BsonDocument.parse("{k: 1}"))
          .containsEntry("shards", BsonArray.parse("['shard0', 'shard1']"))
          .containsEntry("balancingEnabled", BsonBoolean.TRUE)
          .containsEntry("chunkSize", new BsonInt32(128));
      BsonDocument plain =
          batch(CLUSTER.run(database, list.formatted("plain"))).getFirst().asDocument();
      assertThat(plain)
          .containsEntry("sharded", BsonBoolean.FALSE)
          .containsEntry("shards", BsonArray.parse("['shard1']"));
    }
  }

  @Test
  void theRouterIsKnownFromTheBeginning() {
    CLUSTER.await(
        "a document of the router", () -> CLUSTER.metadata("mongos").countDocuments() > 0);
    assertThat(CLUSTER.metadata("mongos").find().first())
        .containsKeys("_id", "created", "ping", "up", "waiting", "mongoVersion");
    BsonDocument parsed = CLUSTER.admin("{getCmdLineOpts: 1}").getDocument("parsed");
    assertThat(parsed.getDocument("sharding").getString("configDB").getValue())
        .isEqualTo(CLUSTER.cluster().config().connectionString());
    assertThat(parsed).doesNotContainKey("storage");
  }

  @Test
  void shardsAreListedByAFilter() {
    assertThat(CLUSTER.admin("{listShards: 1}").getArray("shards")).hasSize(2);
    BsonDocument one = CLUSTER.admin("{listShards: 1, filter: {_id: 'shard1'}}");
    assertThat(one.getArray("shards")).hasSize(1);
    assertThat(one.getArray("shards").getFirst().asDocument())
        .containsEntry("state", new BsonInt32(1))
        .containsKeys("host", "topologyTime");
  }

  @Test
  void aCollectionHasSettingsOfItsOwn() {
    CLUSTER.create("own", 0);
    CLUSTER.shardByK("own.c");
    String configure = "{configureCollectionBalancing: 'own.c', %s}";
    CLUSTER.admin(configure.formatted("chunkSize: 4, enableAutoMerger: false"));
    assertThat(settings())
        .containsEntry("maxChunkSizeBytes", new BsonInt64(4 << 20))
        .containsEntry("enableAutoMerge", BsonBoolean.FALSE)
        .containsEntry("noBalance", BsonBoolean.FALSE);
    CLUSTER.admin(configure.formatted("chunkSize: 0, enableAutoMerger: true"));
    CLUSTER.admin(configure.formatted("enableBalancing: false, defragmentCollection: false"));
    assertThat(settings())
        .doesNotContainKeys("maxChunkSizeBytes", "enableAutoMerge")
        .containsEntry("noBalance", BsonBoolean.TRUE);
    assertFails(configure.formatted("chunkSize: 2000"), 72, "out of range [1MB, 1GB]");
    assertFails(configure.formatted("chunkSize: -1"), 72, "out of range [1MB, 1GB]");
    assertFails("{configureCollectionBalancing: 'own.c'}", 72, "invalid configure");
    assertFails("{configureCollectionBalancing: 'own.x', chunkSize: 1}", 118, "to be sharded");
  }

  private static BsonDocument settings() {
    return CLUSTER.metadata("collections").find(Filters.eq("own.c")).first();
  }

  @Test
  void theDistributionOfShardedCollectionsIsShown() {
    CLUSTER.create("spread", 0);
    CLUSTER.shardByK("spread.c");
    CLUSTER.collection("spread.c").insertMany(AdminCluster.documents(100));
    CLUSTER.collection("spread.plain").insertOne(new Document());
    String pipeline = "{aggregate: 1, pipeline: [{$shardedDataDistribution: {}}%s], cursor: {}}";
    var found = new ArrayList<BsonDocument>();
    for (BsonValue each : batch(CLUSTER.admin(pipeline.formatted("")))) {
      if (each.asDocument().getString("ns").getValue().startsWith("spread.")) {
        found.add(each.asDocument());
      }
    }
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().getString("ns").getValue()).isEqualTo("spread.c");
    List<BsonValue> shards = found.getFirst().getArray("shards");
    assertThat(shards).hasSize(2);
    for (BsonValue shard : shards) {
      assertThat(shard.asDocument())
          .containsEntry("numOwnedDocuments", new BsonInt64(50))
          .containsEntry("numOrphanedDocs", new BsonInt64(0))
          .containsEntry("orphanedSizeBytes", new BsonInt64(0));
      assertThat(shard.asDocument().getInt64("ownedSizeBytes").getValue()).isGreaterThan(1000);
    }
    String counted = pipeline.formatted(", {$match: {ns: 'spread.c'}}, {$count: 'n'}");
    assertThat(batch(CLUSTER.admin(counted)))
        .containsExactly(new BsonDocument("n", new BsonInt32(1)));
    BsonDocument elsewhere = CLUSTER.fail("spread", pipeline.formatted(""));
    assertThat(elsewhere.getInt32("code").getValue()).isEqualTo(73);
    assertThat(elsewhere.getString("errmsg").getValue()).contains("'admin' database");
    assertFails(
        "{aggregate: 1, pipeline: [{$shardedDataDistribution: {a: 1}}], cursor: {}}",
        6789100,
        "must be an empty object");
    assertThatThrownBy(
            () -> CLUSTER.onShard(0, "admin").runCommand(Document.parse(pipeline.formatted(""))))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(6789101));
  }

  private static List<BsonValue> batch(BsonDocument reply) {
    return reply.getDocument("cursor").getArray("firstBatch");
  }

  @Test
  void onlyTheLogOfARouterIsTuned() {
    BsonDocument before = CLUSTER.run("profiled", "{profile: -1}");
    assertThat(before).containsKeys("was", "slowms", "sampleRate");
    CLUSTER.run("profiled", "{profile: 0, slowms: 250, sampleRate: 0.5}");
    BsonDocument after = CLUSTER.run("profiled", "{profile: -1}");
    assertThat(after.getInt32("slowms").getValue()).isEqualTo(250);
    assertThat(after.getDouble("sampleRate").getValue()).isEqualTo(0.5);
    CLUSTER.run("profiled", "{profile: 0, slowms: 100, sampleRate: 1}");
    BsonDocument refused = CLUSTER.fail("profiled", "{profile: 1}");
    assertThat(refused.getInt32("code").getValue()).isEqualTo(2);
    assertThat(refused.getString("errmsg").getValue())
        .startsWith("Profiling is not permitted on mongoS");
  }

  @Test
  void defaultConcernsAreTheClusters() {
    assertThat(CLUSTER.admin("{getDefaultRWConcern: 1}").getDocument("defaultWriteConcern"))
        .containsKey("w");
    BsonDocument reply =
        CLUSTER.admin(
            "{setDefaultRWConcern: 1, defaultReadConcern: {level: 'majority'},"
                + " defaultWriteConcern: {w: 1, wtimeout: 7}}");
    assertThat(reply.getString("defaultWriteConcernSource").getValue()).isEqualTo("global");
    BsonDocument stored =
        CLUSTER.metadata("settings").find(Filters.eq("ReadWriteConcernDefaults")).first();
    assertThat(stored.getDocument("defaultWriteConcern"))
        .containsEntry("wtimeout", new BsonInt32(7));
    assertThat(CLUSTER.admin("{getDefaultRWConcern: 1}").getDocument("defaultReadConcern"))
        .isEqualTo(BsonDocument.parse("{level: 'majority'}"));
    // Shards have no defaults of their own: what they do is what the router tells them.
    CLUSTER.onShard(0, "concerns").runCommand(Document.parse("{profile: 2}"));
    try {
      CLUSTER.create("concerns", 0);
      CLUSTER.run("concerns", "{insert: 'c', documents: [{_id: 1}]}");
      CLUSTER.run("concerns", "{find: 'c'}");
      BsonDocument insert = profiled("insert");
      assertThat(insert.getDocument("writeConcern"))
          .containsEntry("wtimeout", new BsonInt32(7))
          .containsEntry("w", new BsonInt32(1));
      assertThat(profiled("find").getDocument("readConcern").getString("level").getValue())
          .isEqualTo("majority");
      CLUSTER.run(
          "concerns", "{insert: 'c', documents: [{_id: 2}], writeConcern: {w: 1, wtimeout: 9}}");
    } finally {
      CLUSTER.onShard(0, "concerns").runCommand(Document.parse("{profile: 0}"));
      CLUSTER.admin(
          "{setDefaultRWConcern: 1, defaultReadConcern: {},"
              + " defaultWriteConcern: {w: 'majority'}}");
    }
  }

  /** The first command of its kind as the shard has got it. */
  private static BsonDocument profiled(String command) {
    return CLUSTER
        .onShard(0, "concerns")
        .getCollection("system.profile", BsonDocument.class)
        .find(Filters.exists("command." + command))
        .first()
        .getDocument("command");
  }

  @Test
  void thereIsOneFeatureCompatibilityVersion() {
    CLUSTER.admin("{setFeatureCompatibilityVersion: '8.0', confirm: true}");
    assertFails("{setFeatureCompatibilityVersion: '8.0'}", 7369100, "confirm: true");
  }
}
