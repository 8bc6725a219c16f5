package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What administrators see of a cluster, and what they set. */
class ClusterAdminTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final String LIFETIME =
      "{setClusterParameter: {changeStreamOptions: {preAndPostImages: {expireAfterSeconds: %s}}}}";

  private static void assertFails(String database, String command, int code, String message) {
    BsonDocument reply = CLUSTER.fail(database, command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }

  @Test
  void theMapNamesAllHosts() {
    BsonDocument map = CLUSTER.admin("{getShardMap: 1}");
    String config = CLUSTER.cluster().config().connectionString();
    String shard = CLUSTER.cluster().shards().getFirst().connectionString();
    assertThat(map.getDocument("map").getString("config").getValue()).isEqualTo(config);
    assertThat(map.getDocument("map").getString("shard0").getValue()).isEqualTo(shard);
    assertThat(map.getDocument("connStrings").getString(shard).getValue()).isEqualTo("shard0");
    assertThat(map.getDocument("hosts").getString(shard.substring(7)).getValue())
        .isEqualTo("shard0");
    assertThat(CLUSTER.admin("{flushRouterConfig: 1}").getBoolean("flushed").getValue()).isTrue();
  }

  @Test
  void versionsAreShown() {
    CLUSTER.create("versions", 1);
    CLUSTER.shardByK("versions.c");
    BsonDocument collection =
        CLUSTER.metadata("collections").find(Filters.eq("versions.c")).first();
    BsonDocument version = CLUSTER.admin("{getShardVersion: 'versions.c', fullMetadata: true}");
    assertThat(version.get("versionEpoch")).isEqualTo(collection.get("lastmodEpoch"));
    assertThat(version.get("versionTimestamp")).isEqualTo(collection.get("timestamp"));
    assertThat(version.getTimestamp("version").getTime()).isEqualTo(1);
    assertThat(version.getArray("chunks")).hasSize(2);
    BsonDocument database = CLUSTER.admin("{getDatabaseVersion: 'versions'}");
    assertThat(database.getString("primaryShard").getValue()).isEqualTo("shard1");
    assertThat(database.getDocument("dbVersion").getInt32("lastMod").getValue()).isEqualTo(1);
    assertThat(CLUSTER.admin("{getShardVersion: 'versions'}")).containsKey("version");
    assertFails("admin", "{getShardVersion: 'versions.none'}", 118, "is not sharded");
    assertFails("admin", "{getDatabaseVersion: 'none'}", 26, "not found");
  }

  private static List<String> inconsistencies(String database, String command) {
    BsonArray found = CLUSTER.run(database, command).getDocument("cursor").getArray("firstBatch");
    var types = new ArrayList<String>();
    for (BsonValue each : found) {
      assertThat(each.asDocument()).containsKeys("type", "description", "details");
      types.add(each.asDocument().getString("type").getValue());
    }
    return types;
  }

  @Test
  void inconsistentMetadataIsFound() {
    CLUSTER.create("check", 0);
    CLUSTER.shardByK("check.c");
    CLUSTER.collection("check.plain").insertOne(new Document());
    String all = "{checkMetadataConsistency: 1, checkIndexes: true}";
    assertThat(inconsistencies("check", all)).isEmpty();
    CLUSTER.onShard(1, "check").getCollection("plain").insertOne(new Document());
    assertThat(inconsistencies("check", all)).containsExactly("MisplacedCollection");
    assertThat(inconsistencies("admin", all)).contains("MisplacedCollection");
    assertThat(inconsistencies("check", "{checkMetadataConsistency: 'c'}")).isEmpty();
    CLUSTER.onShard(1, "check").getCollection("plain").drop();
    CLUSTER.onShard(1, "check").getCollection("c").createIndex(new Document("x", 1));
    assertThat(inconsistencies("check", all)).containsExactly("InconsistentIndex");
    assertThat(inconsistencies("check", "{checkMetadataConsistency: 'c'}")).isEmpty();
    CLUSTER.onShard(1, "check").getCollection("c").dropIndex("x_1");
    CLUSTER.onShard(1, "check").runCommand(Document.parse("{collMod: 'c', validator: {k: 1}}"));
    assertThat(inconsistencies("check", all)).containsExactly("CollectionOptionsMismatch");
    CLUSTER.onShard(1, "check").getCollection("c").drop();
    assertThat(inconsistencies("check", all)).containsExactly("MissingLocalCollection");
    CLUSTER.onShard(1, "check").getCollection("c").insertOne(new Document("k", 1));
    assertThat(inconsistencies("check", all))
        .contains("CollectionUUIDMismatch", "MissingShardKeyIndex");
    BsonDocument collection = CLUSTER.metadata("collections").find(Filters.eq("check.c")).first();
    Bson last =
        Filters.and(Filters.eq("uuid", collection.get("uuid")), Filters.eq("shard", "shard1"));
    CLUSTER.metadata("chunks").updateOne(last, Updates.set("min", new Document("k", 5)));
    assertThat(inconsistencies("check", all)).contains("RoutingTableRangeGap");
    CLUSTER.metadata("chunks").updateOne(last, Updates.set("min", new Document("k", -5)));
    assertThat(inconsistencies("check", all)).contains("RoutingTableRangeOverlap");
    CLUSTER.metadata("chunks").deleteOne(last);
    assertThat(inconsistencies("check", all)).contains("RoutingTableMissingMaxKey");
    CLUSTER.metadata("chunks").deleteMany(Filters.eq("uuid", collection.get("uuid")));
    assertThat(inconsistencies("check", all)).contains("MissingRoutingTable");
    CLUSTER.metadata("databases").deleteOne(Filters.eq("check"));
    assertThat(inconsistencies("check", all)).containsExactly("HiddenShardedCollection");
    assertThat(inconsistencies("admin", all)).contains("HiddenShardedCollection");
  }

  @Test
  void metadataIsChangedByCommandsOnly() {
    CLUSTER.create("kept", 0);
    CLUSTER.shardByK("kept.c");
    for (String name : List.of("chunks", "shards", "databases", "collections")) {
      MongoCollection<Document> collection = CLUSTER.collection("config." + name);
      assertThatThrownBy(() -> collection.insertOne(new Document("_id", "own")))
          .hasMessageContaining("cannot be changed directly");
      assertThatThrownBy(() -> collection.deleteMany(Filters.empty()))
          .hasMessageContaining("cannot be changed directly");
      assertThatThrownBy(collection::drop)
          .isInstanceOfSatisfying(
              MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(115));
    }
    MongoCollection<Document> collections = CLUSTER.collection("config.collections");
    Bson one = Filters.eq("kept.c");
    assertThatThrownBy(() -> collections.updateOne(one, Updates.set("key", new Document("x", 1))))
        .hasMessageContaining("cannot be changed directly");
    collections.updateOne(one, Updates.set("noBalance", true));
    assertThat(collections.find(one).first()).containsEntry("noBalance", true);
    collections.updateOne(one, Updates.unset("noBalance"));
    CLUSTER.admin("{setAllowMigrations: 'kept.c', allowMigrations: false}");
    assertThat(collections.find(one).first()).containsEntry("allowMigrations", false);
    CLUSTER.admin("{setAllowMigrations: 'kept.c', allowMigrations: true}");
    assertThat(collections.find(one).first()).doesNotContainKey("allowMigrations");
  }

  @Test
  void settingsAreInForceAtOnce() {
    MongoCollection<Document> settings = CLUSTER.collection("config.settings");
    var upsert = new UpdateOptions().upsert(true);
    settings.updateOne(Filters.eq("balancer"), Updates.set("stopped", true), upsert);
    assertThat(CLUSTER.admin("{balancerStatus: 1}").getString("mode").getValue()).isEqualTo("off");
    CLUSTER.admin("{balancerStart: 1}");
    assertThat(CLUSTER.admin("{balancerStatus: 1}").getString("mode").getValue()).isEqualTo("full");
    // The other tests drain shards by hand.
    CLUSTER.admin("{balancerStop: 1}");
    CLUSTER.create("sized", 0);
    MongoCollection<Document> data = CLUSTER.collection("sized.c");
    String padding = "x".repeat(10_000);
    for (int i = 0; i < 3; i++) {
      int from = i * 100;
      data.insertMany(
          AdminCluster.documents(100).stream()
              .map(document -> document.append("_id", from + document.getInteger("_id")))
              .map(document -> document.append("p", padding))
              .toList());
    }
    settings.updateOne(Filters.eq("chunksize"), Updates.set("value", 1), upsert);
    try {
      BsonDocument reply = CLUSTER.admin("{shardCollection: 'sized.c', key: {_id: 1}}");
      assertThat(
              CLUSTER
                  .metadata("chunks")
                  .countDocuments(Filters.eq("uuid", reply.get("collectionUUID"))))
          .isGreaterThan(1);
    } finally {
      settings.deleteOne(Filters.eq("chunksize"));
    }
  }

  @Test
  void aShardIsDrainedRemovedAndAddedAgain() {
    try (EmbeddedSet third = EmbeddedSet.start("third", 1, CLUSTER.directory(), ofShard())) {
      String add = "{addShard: '%s', maxSize: 20000}".formatted(third.connectionString());
      CLUSTER.admin(add);
      BsonDocument listed = shard("third");
      assertThat(listed)
          .containsKeys("_id", "host", "state", "topologyTime", "maxSize")
          .doesNotContainKey("draining");
      CLUSTER.admin("{enableSharding: 'drained', primaryShard: 'third'}");
      CLUSTER.collection("drained.c").insertOne(new Document("_id", 1));
      BsonDocument started = CLUSTER.admin("{removeShard: 'third'}");
      assertThat(started.getString("state").getValue()).isEqualTo("started");
      assertThat(started.getArray("dbsToMove").getFirst().asString().getValue())
          .isEqualTo("drained");
      assertThat(shard("third").getBoolean("draining").getValue()).isTrue();
      CLUSTER.create("elsewhere", 0);
      assertFails("admin", "{movePrimary: 'elsewhere', to: 'third'}", 70, "is draining");
      assertFails("admin", "{enableSharding: 'x', primaryShard: 'third'}", 70, "is draining");
      CLUSTER.admin("{shardCollection: 'elsewhere.spread', key: {_id: 'hashed'}}");
      assertThat(CLUSTER.metadata("chunks").countDocuments(Filters.eq("shard", "third"))).isZero();
      BsonDocument ongoing = CLUSTER.admin("{removeShard: 'third'}");
      assertThat(ongoing.getString("state").getValue()).isEqualTo("ongoing");
      assertThat(ongoing.getDocument("remaining"))
          .isEqualTo(
              BsonDocument.parse(
                  "{chunks: {$numberLong: '0'}, dbs: {$numberLong: '1'},"
                      + " jumboChunks: {$numberLong: '0'}}"));
      CLUSTER.admin("{movePrimary: 'drained', to: 'shard0'}");
      assertThat(CLUSTER.admin("{removeShard: 'third'}").getString("state").getValue())
          .isEqualTo("completed");
      assertFails("admin", "{removeShard: 'third'}", 70, "does not exist");
      assertThat(CLUSTER.collection("drained.c").countDocuments()).isEqualTo(1);
      CLUSTER.admin(add);
      CLUSTER.admin("{movePrimary: 'drained', to: 'third'}");
      CLUSTER.collection("drained.c").insertOne(new Document("_id", 2));
      CLUSTER.admin("{movePrimary: 'drained', to: 'shard0'}");
      CLUSTER.admin("{removeShard: 'third'}");
      CLUSTER.admin("{removeShard: 'third'}");
    }
  }

  @Test
  void aShardGetsTheParametersOfTheClusterWhenItIsAdded() {
    CLUSTER.admin(LIFETIME.formatted("77"));
    try (EmbeddedSet set = EmbeddedSet.start("late", 1, CLUSTER.directory(), ofShard());
        MongoClient client = MongoClients.create(set.uri())) {
      MongoDatabase admin = client.getDatabase("admin");
      admin.runCommand(Document.parse(LIFETIME.formatted("5")));
      CLUSTER.admin("{addShard: '%s'}".formatted(set.connectionString()));
      assertThat(lifetime(admin)).isEqualTo(77L);
      // Sent again it mends what an interrupted attempt has left.
      admin.runCommand(Document.parse(LIFETIME.formatted("5")));
      CLUSTER.admin("{addShard: '%s'}".formatted(set.connectionString()));
      assertThat(lifetime(admin)).isEqualTo(77L);
      CLUSTER.admin("{removeShard: 'late'}");
      CLUSTER.admin("{removeShard: 'late'}");
      admin.runCommand(Document.parse("{setDefaultRWConcern: 1, defaultWriteConcern: {w: 1}}"));
      assertFails(
          "admin",
          "{addShard: '%s'}".formatted(set.connectionString()),
          96,
          "as a shard since a default write concern is set on the shard");
      assertThat(CLUSTER.metadata("shards").countDocuments(Filters.eq("late"))).isZero();
    } finally {
      CLUSTER.admin(LIFETIME.formatted("'off'"));
    }
  }

  private static Object lifetime(MongoDatabase admin) {
    return admin
        .runCommand(new Document("getClusterParameter", "changeStreamOptions"))
        .getList("clusterParameters", Document.class)
        .getFirst()
        .get("preAndPostImages", Document.class)
        .get("expireAfterSeconds");
  }

  @Test
  void theHostsOfAShardFollowItsSet() {
    try (EmbeddedSet set = EmbeddedSet.start("grown", 1, CLUSTER.directory(), ofShard());
        EmbeddedNode second = member("grown");
        MongoClient client = MongoClients.create(set.uri())) {
      CLUSTER.admin("{addShard: '%s'}".formatted(set.connectionString()));
      assertThat(host("grown")).isEqualTo(set.connectionString());
      MongoDatabase admin = client.getDatabase("admin");
      Document one = config(admin);
      reconfigure(admin, one, new Document("_id", 1).append("host", second.address()));
      String both =
          Stream.of(set.members().getFirst().address(), second.address())
              .sorted()
              .collect(Collectors.joining(",", "grown/", ""));
      CLUSTER.await("the second member", () -> host("grown").equals(both));
      reconfigure(admin, one);
      CLUSTER.await("its end", () -> host("grown").equals(set.connectionString()));
      assertThat(
              CLUSTER.metadata("changelog").countDocuments(Filters.eq("what", "updateShardHosts")))
          .isEqualTo(2);
      assertThat(CLUSTER.config("{getLog: 'global'}").getList("log", String.class))
          .anyMatch(line -> line.contains("The members of a shard have changed"));
      CLUSTER.admin("{removeShard: 'grown'}");
      CLUSTER.admin("{removeShard: 'grown'}");
    }
  }

  private static Consumer<ServerOptions.Builder> ofShard() {
    return options -> options.clusterRole(ClusterRole.SHARD_SERVER).cacheBytes(32 << 20);
  }

  private static EmbeddedNode member(String set) {
    ServerOptions.Builder options =
        ServerOptions.builder(CLUSTER.directory().resolve(set + "-second")).port(0).replicaSet(set);
    ofShard().accept(options);
    return EmbeddedNode.start(options.build());
  }

  private static String host(String shard) {
    return CLUSTER.metadata("shards").find(Filters.eq(shard)).first().getString("host").getValue();
  }

  private static Document config(MongoDatabase admin) {
    return admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
  }

  /** The members that it had at first, and others without votes. */
  private static void reconfigure(MongoDatabase admin, Document first, Document... others) {
    var members = new ArrayList<>(first.getList("members", Document.class));
    for (Document other : others) {
      members.add(other.append("priority", 0).append("votes", 0));
    }
    int version = config(admin).getInteger("version");
    Document next = new Document(first).append("members", members).append("version", version + 1);
    admin.runCommand(new Document("replSetReconfig", next));
  }

  @Test
  void collectionsAreShardedByTheRules() {
    CLUSTER.create("rules", 0);
    String shard = "{shardCollection: 'rules.%s', key: {%s}%s}";
    assertFails(
        "admin",
        shard.formatted("c", "a: 'hashed'", ", numInitialChunks: 20000"),
        72,
        "cannot be more than either: 16384, 8192 * number of shards; or 1000000");
    assertFails(
        "admin",
        shard.formatted("c", "a: 1", ", numInitialChunks: 4"),
        72,
        "only supported when the collection is empty and has a hashed field");
    assertFails(
        "admin",
        shard.formatted("c", "a: 1, b: 'hashed'", ", numInitialChunks: 4"),
        72,
        "can only be used when the 'presplitHashedZones' is true");
    assertFails(
        "admin",
        shard.formatted("c", "a: 'hashed'", ", presplitHashedZones: true"),
        31387,
        "zones are set up");
    assertFails("admin", shard.formatted("c", "a: 'text'", ""), 2, "Shard key");
    CLUSTER.run("rules", "{create: 'german', collation: {locale: 'de'}}");
    assertFails("admin", shard.formatted("german", "a: 1", ""), 2, "Must specify collation");
    CLUSTER.admin(shard.formatted("german", "a: 1", ", collation: {locale: 'simple'}"));
    MongoCollection<Document> data = CLUSTER.collection("rules.data");
    data.insertOne(new Document("_id", 1));
    data.insertOne(new Document("_id", 2).append("a", 1));
    assertFails("admin", shard.formatted("data", "a: 1", ""), 72, "Please create an index");
    data.createIndex(new Document("a", 1));
    assertFails("admin", shard.formatted("data", "a: 1", ", unique: true"), 72, "not unique");
    CLUSTER.admin(shard.formatted("data", "a: 1", ""));
    assertThat(data.countDocuments(Filters.eq("a", null))).isEqualTo(1);
    BsonDocument reply =
        CLUSTER.admin(shard.formatted("many", "a: 'hashed', b: 1", ", numInitialChunks: 10"));
    assertThat(
            CLUSTER
                .metadata("chunks")
                .countDocuments(Filters.eq("uuid", reply.get("collectionUUID"))))
        .isEqualTo(10);
    assertThat(CLUSTER.metadata("system.sharding_ddl_coordinators").countDocuments()).isZero();
  }

  private static BsonDocument shard(String name) {
    for (BsonValue each : CLUSTER.admin("{listShards: 1}").getArray("shards")) {
      if (each.asDocument().getString("_id").getValue().equals(name)) {
        return each.asDocument();
      }
    }
    throw new AssertionError("no shard " + name);
  }
}
