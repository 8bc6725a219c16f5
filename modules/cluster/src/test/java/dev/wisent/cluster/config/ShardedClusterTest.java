package dev.wisent.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A config server with two shards, without a router. */
class ShardedClusterTest {
  @RegisterExtension static final ConfigSet CONFIG = new ConfigSet();

  private static final Map<String, EmbeddedSet> SHARDS = new HashMap<>();
  private static final Map<String, MongoClient> CLIENTS = new HashMap<>();

  @BeforeAll
  static void addShards() {
    for (String name : new String[] {"rs0", "rs1"}) {
      EmbeddedSet shard = startShard(name);
      SHARDS.put(name, shard);
      CLIENTS.put(name, MongoClients.create(shard.uri()));
    }
    CLIENTS.get("rs0").getDatabase("bar").getCollection("c").insertOne(new Document());
    BsonDocument reply = add("rs0", "");
    assertThat(reply.getString("shardAdded").getValue()).isEqualTo("rs0");
    add("rs1", ", name: 'second shard', maxSize: 20000");
  }

  private static EmbeddedSet startShard(String name) {
    return EmbeddedSet.start(
        name,
        1,
        CONFIG.directory(),
        options -> options.clusterRole(ClusterRole.SHARD_SERVER).cacheBytes(32 << 20));
  }

  private static BsonDocument add(String name, String more) {
    return CONFIG.admin(
        "{_configsvrAddShard: '" + SHARDS.get(name).connectionString() + "'" + more + "}");
  }

  @AfterAll
  static void stop() {
    CLIENTS.values().forEach(MongoClient::close);
    SHARDS.values().forEach(EmbeddedSet::close);
  }

  @Test
  void shardsAreStoredWithTheirMembersAndDatabases() {
    assertThat(CONFIG.collection("shards").find(Filters.eq("second shard")).first())
        .containsEntry("host", new BsonString(SHARDS.get("rs1").connectionString()))
        .containsEntry("state", new BsonInt32(1))
        .containsKeys("topologyTime", "maxSize");
    assertThat(CONFIG.collection("databases").find(Filters.eq("bar")).first())
        .containsEntry("primary", new BsonString("rs0"))
        .containsKey("version");
    assertThat(add("rs0", "").getString("shardAdded").getValue()).isEqualTo("rs0");
    assertThat(add("rs1", "").getString("shardAdded").getValue()).isEqualTo("second shard");
    BsonDocument taken =
        CONFIG.fail(
            "{_configsvrAddShard: '"
                + SHARDS.get("rs0").connectionString()
                + "', name: 'another'}");
    assertThat(taken.getInt32("code").getValue()).isEqualTo(20);
    assertThat(CONFIG.collection("changelog").countDocuments(Filters.eq("what", "addShard")))
        .isEqualTo(2);
  }

  @Test
  void aShardWhoseDatabasesClashIsRefused() {
    try (EmbeddedSet other = startShard("rs2");
        MongoClient client = MongoClients.create(other.uri())) {
      client.getDatabase("bar").getCollection("c").insertOne(new Document());
      BsonDocument error = CONFIG.fail("{_configsvrAddShard: '" + other.connectionString() + "'}");
      assertThat(error.getString("errmsg").getValue())
          .contains("because a local database 'bar' exists in another rs0");
      assertThat(error.getInt32("code").getValue()).isEqualTo(96);
    }
  }

  @Test
  void databasesAreCreatedOnce() {
    CONFIG.admin("{_configsvrCreateDatabase: 'fresh'}");
    CONFIG.admin("{_configsvrCreateDatabase: 'fresh', enableSharding: true}");
    BsonDocument database = CONFIG.collection("databases").find(Filters.eq("fresh")).first();
    assertThat(database.getDocument("version").getInt32("lastMod").getValue()).isEqualTo(1);
    assertThat(database.getBoolean("partitioned").getValue()).isTrue();
    assertThat(CONFIG.fail("{_configsvrCreateDatabase: 'Fresh'}").getInt32("code").getValue())
        .isEqualTo(13297);
    assertThat(CONFIG.fail("{_configsvrCreateDatabase: 'config'}").getInt32("code").getValue())
        .isEqualTo(72);
    CONFIG.admin("{_configsvrCreateDatabase: 'there', primaryShardId: 'second shard'}");
    assertThat(CONFIG.collection("databases").find(Filters.eq("there")).first())
        .containsEntry("primary", new BsonString("second shard"));
    assertThat(
            CONFIG
                .fail("{_configsvrCreateDatabase: 'there', primaryShardId: 'rs0'}")
                .getInt32("code")
                .getValue())
        .isEqualTo(48);
    assertThat(CONFIG.collection("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  @Test
  void aHashedCollectionIsSpreadOverAllShards() {
    BsonDocument reply =
        CONFIG.admin("{_configsvrShardCollection: 'spread.c', key: {_id: 'hashed'}}");
    assertThat(reply.getString("collectionsharded").getValue()).isEqualTo("spread.c");
    BsonDocument collection = CONFIG.collection("collections").find(Filters.eq("spread.c")).first();
    assertThat(collection.get("uuid")).isEqualTo(reply.get("collectionUUID"));
    var ofCollection = Filters.eq("uuid", collection.get("uuid"));
    assertThat(CONFIG.collection("chunks").countDocuments(ofCollection)).isEqualTo(2);
    assertThat(CONFIG.collection("chunks").distinct("shard", ofCollection, String.class))
        .containsExactlyInAnyOrder("rs0", "second shard");
    for (MongoClient shard : CLIENTS.values()) {
      var indexes = shard.getDatabase("spread").getCollection("c").listIndexes();
      assertThat(indexes).extracting(index -> index.getString("name")).contains("_id_hashed");
    }
    assertThat(CONFIG.admin("{_configsvrShardCollection: 'spread.c', key: {_id: 'hashed'}}"))
        .containsEntry("collectionUUID", reply.get("collectionUUID"));
    assertFails("{_configsvrShardCollection: 'spread.c', key: {_id: 1}}", 23, "already enabled");
    assertThat(CONFIG.collection("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  @Test
  void refusedCollectionsStayAsTheyAre() {
    var bar = CLIENTS.get("rs0").getDatabase("bar");
    bar.createCollection("capped", new CreateCollectionOptions().capped(true).sizeInBytes(100_000));
    bar.createView("view", "c", List.of());
    bar.getCollection("users")
        .createIndex(new Document("email", 1), new IndexOptions().unique(true));
    bar.getCollection("data").insertOne(new Document("a", 1));
    String shard = "{_configsvrShardCollection: 'bar.%s', key: {%s: 1}}";
    assertFails(shard.formatted("capped", "a"), 72, "can't shard a capped collection");
    assertFails(shard.formatted("view", "a"), 166, "is a view");
    assertFails(shard.formatted("users", "name"), 72, "Uniqueness can't be maintained");
    assertFails(shard.formatted("data", "a"), 72, "Please create an index that starts with");
    assertFails("{_configsvrShardCollection: 'bar.n', key: {a: 2}}", 2, "Shard key");
    assertFails(
        "{_configsvrShardCollection: 'bar.n', key: {a: 'hashed'}, unique: true}", 72, "Hashed");
    assertFails(
        "{_configsvrShardCollection: 'bar.n', key: {a: 1}, collation: {locale: 'de'}}",
        2,
        "must be {locale: 'simple'}");
    bar.getCollection("data").insertOne(new Document("a", 2));
    assertThat(CONFIG.collection("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  @Test
  void collectionsAndDatabasesAreDroppedOnAllShards() {
    CONFIG.admin("{_configsvrShardCollection: 'gone.a', key: {_id: 'hashed'}}");
    CONFIG.admin("{_configsvrShardCollection: 'gone.b', key: {_id: 'hashed'}}");
    long chunks = CONFIG.collection("chunks").countDocuments();
    CONFIG.admin("{_configsvrDrop: 'gone.a'}");
    assertThat(CONFIG.collection("collections").find(Filters.eq("gone.a")).first()).isNull();
    assertThat(CONFIG.collection("chunks").countDocuments()).isEqualTo(chunks - 2);
    for (MongoClient shard : CLIENTS.values()) {
      assertThat(shard.getDatabase("gone").listCollectionNames()).containsExactly("b");
    }
    assertThat(CONFIG.admin("{_configsvrDropDatabase: 'gone'}").getString("dropped").getValue())
        .isEqualTo("gone");
    assertThat(CONFIG.admin("{_configsvrDropDatabase: 'gone'}")).containsKey("info");
    assertThat(CONFIG.collection("collections").find(Filters.eq("gone.b")).first()).isNull();
    assertThat(CONFIG.collection("databases").find(Filters.eq("gone")).first()).isNull();
    for (MongoClient shard : CLIENTS.values()) {
      assertThat(shard.getDatabase("gone").listCollectionNames()).isEmpty();
    }
    assertThat(CONFIG.collection("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  @Test
  void chunksAreSplitAndMerged() {
    BsonDocument reply = CONFIG.admin("{_configsvrShardCollection: 'cut.c', key: {a: 1}}");
    var ofCollection = Filters.eq("uuid", reply.get("collectionUUID"));
    String all = "bounds: [{a: {$minKey: 1}}, {a: {$maxKey: 1}}]";
    CONFIG.admin("{_configsvrSplit: 'cut.c', " + all + ", splitKeys: [{a: 4}, {a: 8}]}");
    assertThat(CONFIG.collection("chunks").distinct("lastmod", ofCollection, BsonTimestamp.class))
        .containsExactlyInAnyOrder(
            new BsonTimestamp(1, 1), new BsonTimestamp(1, 2), new BsonTimestamp(1, 3));
    String middle = "{_configsvrSplit: 'cut.c', bounds: [{a: 4}, {a: 8}], splitKeys: [{a: %d}]}";
    assertFails(middle.formatted(4), 72, "boundary");
    assertFails(middle.formatted(9), 72, "inside of the chunk");
    assertFails("{_configsvrSplit: 'cut.c', " + all + ", splitKeys: [{a: 5}]}", 72, "no chunk");
    assertFails("{_configsvrSplit: 'cut.no', " + all + ", splitKeys: [{a: 5}]}", 118, "sharded");
    CONFIG.admin(middle.formatted(6));
    assertThat(CONFIG.collection("chunks").countDocuments(ofCollection)).isEqualTo(4);
    assertFails("{_configsvrMergeChunks: 'cut.c', bounds: [{a: 5}, {a: 8}]}", 20, "merge");
    CONFIG.admin("{_configsvrMergeChunks: 'cut.c', bounds: [{a: 4}, {a: {$maxKey: 1}}]}");
    assertThat(CONFIG.collection("chunks").countDocuments(ofCollection)).isEqualTo(2);
    assertThat(CONFIG.collection("chunks").distinct("lastmod", ofCollection, BsonTimestamp.class))
        .contains(new BsonTimestamp(1, 6));
    CONFIG.collection("chunks").updateMany(ofCollection, Updates.set("jumbo", true));
    CONFIG.admin("{_configsvrClearJumboFlag: 'cut.c', bounds: [{a: {$minKey: 1}}, {a: 4}]}");
    assertThat(
            CONFIG
                .collection("chunks")
                .countDocuments(Filters.and(ofCollection, Filters.eq("jumbo", true))))
        .isEqualTo(1);
  }

  /** A router that has lost the answer sends the same key again. */
  @Test
  void aChangeThatIsAskedForAgainIsMadeOnce() {
    CONFIG.admin("{_configsvrShardCollection: 'again.c', key: {x: 1}}");
    String all = "bounds: [{x: {$minKey: 1}}, {x: {$maxKey: 1}}]";
    String key = ", clientOperationKey: {$uuid: '00000000-0000-0000-0000-00000000000%d'}}";
    String split = "{_configsvrSplit: 'again.c', " + all + ", splitKeys: [{x: 0}]";
    CONFIG.admin(split + key.formatted(1));
    CONFIG.admin(split + key.formatted(1));
    assertFails(split + key.formatted(2), 72, "there is no chunk");
    String merge = "{_configsvrMergeChunks: 'again.c', " + all;
    CONFIG.admin(merge + key.formatted(3));
    CONFIG.admin(merge + key.formatted(3));
    assertFails(merge + "}", 20, "could not merge chunks");
    assertThat(CONFIG.collection("changelog").countDocuments(Filters.eq("ns", "again.c")))
        .isEqualTo(3);
  }

  @Test
  void indexesAreOnAllShards() {
    CONFIG.admin("{_configsvrShardCollection: 'index.c', key: {u: 'hashed'}}");
    String create = "{_configsvrCreateIndexes: 'index.c', indexes: [{key: {%s: 1}, name: '%s'%s}]}";
    BsonDocument reply = CONFIG.admin(create.formatted("x", "x_1", ""));
    assertThat(reply.getDocument("raw").keySet()).containsExactlyInAnyOrder("rs0", "second shard");
    assertThat(indexNames()).allSatisfy(names -> assertThat(names).contains("x_1"));
    assertFails(create.formatted("e", "e_1", ", unique: true"), 67, "cannot create unique index");
    assertFails("{_configsvrDropIndexes: 'index.c', index: 'u_hashed'}", 370, "only compatible");
    CONFIG.admin("{_configsvrDropIndexes: 'index.c', index: 'x_1'}");
    assertThat(indexNames()).allSatisfy(names -> assertThat(names).doesNotContain("x_1"));
    CONFIG.admin("{_configsvrCollMod: 'index.c', validationLevel: 'moderate'}");
    assertFails("{_configsvrCollMod: 'index.no', validationLevel: 'off'}", 118, "not sharded");
  }

  private static List<List<String>> indexNames() {
    var all = new ArrayList<List<String>>();
    for (MongoClient shard : CLIENTS.values()) {
      var names = new ArrayList<String>();
      shard
          .getDatabase("index")
          .getCollection("c")
          .listIndexes()
          .forEach(index -> names.add(index.getString("name")));
      all.add(names);
    }
    return all;
  }

  private static void assertFails(String command, int code, String message) {
    BsonDocument reply = CONFIG.fail(command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }
}
