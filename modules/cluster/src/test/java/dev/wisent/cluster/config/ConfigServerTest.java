package dev.wisent.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import dev.wisent.base.CommandException;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The database {@code config} and the commands that do not need a shard. */
class ConfigServerTest {
  @RegisterExtension static final ConfigSet CONFIG = new ConfigSet();

  @BeforeEach
  void isReady() {
    assertThat(CONFIG.admin("{_configsvrBalancerStatus: 1}")).containsKey("mode");
  }

  @Test
  void helloTellsOfAConfigServer() {
    assertThat(CONFIG.admin("{hello: 1}").getInt32("configsvr").getValue()).isEqualTo(2);
    assertThat(CONFIG.admin("{getCmdLineOpts: 1}").getDocument("parsed").getDocument("sharding"))
        .isEqualTo(BsonDocument.parse("{clusterRole: 'configsvr'}"));
  }

  @Test
  void theConfigurationSaysThatItIsOfConfigServers() {
    BsonDocument shown = CONFIG.admin("{replSetGetConfig: 1}").getDocument("config");
    assertThat(shown.getBoolean("configsvr").getValue()).isTrue();
    int version = shown.getInt32("version").getValue();
    shown.put("version", new BsonInt32(version + 1));
    CONFIG.admin(new BsonDocument("replSetReconfig", shown).toJson());
    shown.put("version", new BsonInt32(version + 2));
    shown.put("configsvr", BsonBoolean.FALSE);
    assertThat(code(new BsonDocument("replSetReconfig", shown).toJson())).isEqualTo(2);
  }

  @Test
  void aStandaloneIsRefused() {
    ServerOptions options =
        ServerOptions.builder(CONFIG.directory().resolve("standalone"))
            .port(0)
            .clusterRole(ClusterRole.CONFIG_SERVER)
            .build();
    assertThatThrownBy(() -> EmbeddedNode.start(options).close())
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("Cannot start a configsvr as a standalone server");
  }

  @Test
  void collectionsHaveTheirIndexes() {
    assertThat(indexes("chunks"))
        .containsExactly(
            "_id_",
            "uuid_1_min_1",
            "uuid_1_shard_1_min_1",
            "uuid_1_lastmod_1",
            "uuid_1_shard_1_onCurrentShardSince_1");
    assertThat(indexes("shards")).containsExactly("_id_", "host_1");
    assertThat(indexes("tags")).containsExactly("_id_", "ns_1_min_1", "ns_1_tag_1");
    BsonDocument version = CONFIG.collection("version").find().first();
    assertThat(version.getObjectId("clusterId")).isNotNull();
  }

  private static List<String> indexes(String collection) {
    var names = new ArrayList<String>();
    CONFIG
        .collection(collection)
        .listIndexes(BsonDocument.class)
        .forEach(index -> names.add(index.getString("name").getValue()));
    return names;
  }

  @Test
  void settingsAreChecked() {
    var settings = CONFIG.collection("settings");
    assertThatThrownBy(
            () -> settings.insertOne(BsonDocument.parse("{_id: 'chunksize', value: 2000}")))
        .isInstanceOf(MongoWriteException.class)
        .satisfies(e -> assertThat(((MongoWriteException) e).getCode()).isEqualTo(121));
    settings.insertOne(BsonDocument.parse("{_id: 'chunksize', value: 1}"));
    settings.deleteOne(Filters.eq("chunksize"));
  }

  /** As in MongoDB, no document of the settings means that it runs. */
  @Test
  void theBalancerOfANewClusterRuns() {
    try (var config =
            EmbeddedSet.start(
                "fresh",
                1,
                CONFIG.directory(),
                options -> options.clusterRole(ClusterRole.CONFIG_SERVER).cacheBytes(32 << 20));
        MongoClient client = MongoClients.create(config.uri())) {
      assertThat(
              client
                  .getDatabase("admin")
                  .runCommand(new Document("_configsvrBalancerStatus", 1))
                  .getString("mode"))
          .isEqualTo("full");
      assertThat(client.getDatabase("config").getCollection("settings").countDocuments()).isZero();
    }
  }

  @Test
  void theBalancerIsStoppedAndStarted() {
    CONFIG.admin("{_configsvrBalancerStop: 1, writeConcern: {w: 'majority'}}");
    assertThat(CONFIG.admin("{_configsvrBalancerStatus: 1}").getString("mode").getValue())
        .isEqualTo("off");
    CONFIG.admin("{_configsvrBalancerStart: 1, writeConcern: {w: 'majority'}}");
    assertThat(CONFIG.admin("{_configsvrBalancerStatus: 1}").getString("mode").getValue())
        .isEqualTo("full");
    assertThat(CONFIG.collection("settings").find(Filters.eq("balancer")).first())
        .isEqualTo(BsonDocument.parse("{_id: 'balancer', mode: 'full', stopped: false}"));
    assertThat(CONFIG.collection("changelog").find(Filters.eq("what", "balancer.stop")).first())
        .containsKeys("_id", "server", "shard", "clientAddr", "time", "what", "ns", "details");
  }

  @Test
  void zonesAreRefusedWithoutTheirShards() {
    assertThat(code("{_configsvrAddShardToZone: 'none', zone: 'z'}")).isEqualTo(70);
    assertThat(code("{_configsvrRemoveShardFromZone: 'none', zone: 'z'}")).isEqualTo(70);
    assertThat(code("{_configsvrUpdateZoneKeyRange: 'd.c', min: {a: 1}, max: {a: 2}, zone: 'z'}"))
        .isEqualTo(177);
    assertThat(code("{_configsvrSetAllowMigrations: 'd.c', allowMigrations: false}"))
        .isEqualTo(118);
  }

  @Test
  void zonesHaveRangesThatDoNotOverlap() {
    CONFIG.collection("shards").insertOne(BsonDocument.parse("{_id: 'a', host: 'a/h:1'}"));
    CONFIG.collection("shards").insertOne(BsonDocument.parse("{_id: 'b', host: 'b/h:2'}"));
    CONFIG.admin("{_configsvrAddShardToZone: 'a', zone: 'z'}");
    CONFIG.admin("{_configsvrAddShardToZone: 'a', zone: 'z'}");
    assertThat(CONFIG.collection("shards").find(Filters.eq("a")).first().getArray("tags"))
        .hasSize(1);
    String range = "{_configsvrUpdateZoneKeyRange: 'z.c', min: {a: %d}, max: {a: %d}, zone: %s}";
    CONFIG.admin(range.formatted(1, 10, "'z'"));
    CONFIG.admin(range.formatted(10, 20, "'z'"));
    CONFIG.admin(range.formatted(1, 10, "'z'"));
    assertThat(code(range.formatted(5, 15, "'z'"))).isEqualTo(178);
    assertThat(code(range.formatted(5, 5, "'z'"))).isEqualTo(9);
    assertThat(CONFIG.collection("tags").find().first())
        .isEqualTo(
            BsonDocument.parse(
                "{_id: {ns: 'z.c', min: {a: 1}}, ns: 'z.c', min: {a: 1}, max: {a: 10},"
                    + " tag: 'z'}"));
    assertThat(code("{_configsvrRemoveShardFromZone: 'a', zone: 'z'}")).isEqualTo(163);
    assertThat(code("{_configsvrRemoveShard: 'a'}")).isEqualTo(163);
    CONFIG.admin(range.formatted(1, 10, "null"));
    CONFIG.admin(range.formatted(10, 20, "null"));
    assertThat(CONFIG.collection("tags").countDocuments()).isZero();
    CONFIG.admin("{_configsvrRemoveShardFromZone: 'a', zone: 'z'}");
    removesAShard();
  }

  private void removesAShard() {
    CONFIG
        .collection("databases")
        .insertOne(BsonDocument.parse("{_id: 'x', primary: 'a', partitioned: false}"));
    assertThat(CONFIG.admin("{_configsvrRemoveShard: 'a'}"))
        .containsAllEntriesOf(
            BsonDocument.parse("{msg: 'draining started successfully', state: 'started'}"));
    assertThat(code("{_configsvrRemoveShard: 'b'}")).isEqualTo(20);
    BsonDocument ongoing = CONFIG.admin("{_configsvrRemoveShard: 'a'}");
    assertThat(ongoing.getString("state").getValue()).isEqualTo("ongoing");
    assertThat(ongoing.getDocument("remaining").getInt64("dbs").getValue()).isEqualTo(1);
    assertThat(ongoing.getArray("dbsToMove")).hasSize(1);
    CONFIG.collection("databases").deleteOne(Filters.eq("x"));
    assertThat(CONFIG.admin("{_configsvrRemoveShard: 'a'}").getString("state").getValue())
        .isEqualTo("completed");
    assertThat(code("{_configsvrRemoveShard: 'a'}")).isEqualTo(70);
    CONFIG.collection("shards").deleteMany(Filters.empty());
  }

  private static int code(String command) {
    return CONFIG.fail(command).getInt32("code").getValue();
  }

  @Test
  void onlyReplicaSetsForShardsAreAdded() {
    String own = CONFIG.set().connectionString();
    assertFails("{_configsvrAddShard: '" + own + "'}", 96, "since it is a config server");
    assertFails(
        "{_configsvrAddShard: '" + own.substring(4) + "'}", 96, "host is part of set cfg; use");
    assertFails(
        "{_configsvrAddShard: 'other/" + own.substring(4) + "'}",
        96,
        "does not match the actual set name cfg");
    assertFails("{_configsvrAddShard: 'rs/127.0.0.1:1'}", 133, "Could not find host matching");
    assertFails("{_configsvrAddShard: 'a:1,b:2'}", 9, "connection string");
    try (EmbeddedNode standalone =
            EmbeddedNode.start(
                ServerOptions.builder(CONFIG.directory().resolve("alone")).port(0).build());
        EmbeddedSet plain = EmbeddedSet.start("plain", 1, CONFIG.directory(), options -> {})) {
      assertFails(
          "{_configsvrAddShard: '" + standalone.address() + "'}", 96, "is not a replica set");
      assertFails(
          "{_configsvrAddShard: 'rs/" + standalone.address() + "'}", 96, "still initializing");
      assertFails(
          "{_configsvrAddShard: '" + plain.connectionString() + "'}",
          96,
          "not started with --shardsvr");
      assertFails(
          "{_configsvrAddShard: '" + plain.connectionString() + ",127.0.0.1:1'}",
          96,
          "host 127.0.0.1:1 does not belong to replica set plain");
    }
    assertThat(CONFIG.collection("shards").countDocuments()).isZero();
  }

  private static void assertFails(String command, int code, String message) {
    BsonDocument reply = CONFIG.fail(command);
    assertThat(reply.getString("errmsg").getValue()).contains(message);
    assertThat(reply.getInt32("code").getValue()).isEqualTo(code);
  }
}
