package dev.wisent.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.config.ddl.DdlCoordinators;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.CoordinatorTestNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every coordinator is killed before and after every phase. The next primary completes it: no
 * document of it is left, writes are possible again, and the same request succeeds.
 */
class CoordinatorKillTest {
  @RegisterExtension static final ConfigSet CONFIG = new ConfigSet();

  private static final List<EmbeddedSet> SHARDS = new ArrayList<>();
  private static final List<MongoClient> CLIENTS = new ArrayList<>();

  /** Those that find nothing to do when they are done. */
  private static final Set<String> NOT_REPEATED = Set.of("dropIndexes", "renameCollection");

  /** What runs before a coordinator and what runs it; {@code %s} is a new database. */
  private record Scenario(List<String> before, String command) {}

  private static final String SHARD = "{_configsvrShardCollection: '%s.c', key: {_id: 'hashed'}}";
  private static final String CREATE_INDEX =
      "{_configsvrCreateIndexes: '%s.c', indexes: [{key: {x: 1}, name: 'x_1'}]}";
  private static final Map<String, Scenario> SCENARIOS =
      Map.ofEntries(
          Map.entry("createDatabase", new Scenario(List.of(), "{_configsvrCreateDatabase: '%s'}")),
          Map.entry(
              "movePrimary",
              new Scenario(
                  List.of("{_configsvrCreateDatabase: '%s', primaryShardId: 'rs0'}", SHARD),
                  "{_configsvrMovePrimary: '%s', to: 'rs1'}")),
          Map.entry("shardCollection", new Scenario(List.of(), SHARD)),
          Map.entry("drop", new Scenario(List.of(SHARD), "{_configsvrDrop: '%s.c'}")),
          Map.entry("dropDatabase", new Scenario(List.of(SHARD), "{_configsvrDropDatabase: '%s'}")),
          Map.entry("createIndexes", new Scenario(List.of(SHARD), CREATE_INDEX)),
          Map.entry(
              "dropIndexes",
              new Scenario(
                  List.of(SHARD, CREATE_INDEX), "{_configsvrDropIndexes: '%s.c', index: 'x_1'}")),
          Map.entry(
              "collMod",
              new Scenario(List.of(SHARD), "{_configsvrCollMod: '%s.c', validationLevel: 'off'}")),
          Map.entry(
              "refineCollectionShardKey",
              new Scenario(
                  List.of(
                      SHARD,
                      "{_configsvrCreateIndexes: '%s.c',"
                          + " indexes: [{key: {_id: 'hashed', x: 1}, name: 'refined'}]}"),
                  "{_configsvrRefineCollectionShardKey: '%s.c', key: {_id: 'hashed', x: 1}}")),
          Map.entry(
              "renameCollection",
              new Scenario(
                  List.of(SHARD.replace(".c'", ".before'")),
                  "{_configsvrRenameCollection: '%s.before', to: '%s.c'}")));

  @BeforeAll
  static void addShards() {
    for (String name : new String[] {"rs0", "rs1"}) {
      EmbeddedSet shard =
          EmbeddedSet.start(
              name,
              1,
              CONFIG.directory(),
              options -> options.clusterRole(ClusterRole.SHARD_SERVER).cacheBytes(32 << 20));
      SHARDS.add(shard);
      CLIENTS.add(MongoClients.create(shard.uri()));
      CONFIG.admin("{_configsvrAddShard: '" + shard.connectionString() + "'}");
    }
  }

  @AfterAll
  static void stop() {
    CLIENTS.forEach(MongoClient::close);
    SHARDS.forEach(EmbeddedSet::close);
  }

  private static List<Coordinator> coordinators() {
    return DdlCoordinators.all(new ClusterMetadata(null, null, null, null, null, null, null, null));
  }

  @Test
  void everyCoordinatorHasAScenario() {
    assertThat(SCENARIOS.keySet())
        .containsExactlyInAnyOrderElementsOf(
            coordinators().stream().map(Coordinator::type).toList());
  }

  @Test
  void theCommitOfShardCollectionSurvives() {
    kill("shardCollection", "shardCollection.commit.after", 0);
  }

  @Test
  @Tag("faults")
  void everyPhaseSurvives() {
    int number = 1;
    for (Coordinator coordinator : coordinators()) {
      for (String point : CoordinatorTestNode.pointsOf(coordinator)) {
        kill(coordinator.type(), point, number++);
      }
    }
  }

  private void kill(String type, String point, int number) {
    Scenario scenario = SCENARIOS.get(type);
    String database = "d" + number;
    scenario.before.forEach(command -> CONFIG.admin(command.replace("%s", database)));
    CONFIG.admin(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1}, data: {point: '"
            + point
            + "', action: 'crash'}}");
    String command = scenario.command.replace("%s", database);
    try {
      CONFIG.admin(command);
      throw new AssertionError("no crash at " + point);
    } catch (MongoException e) {
      assertThat(e.getMessage()).as(point).contains("crash at " + point);
    }
    assertThat(CONFIG.collection("system.sharding_ddl_coordinators").countDocuments())
        .as(point)
        .isEqualTo(1);
    electAgain();
    if (!NOT_REPEATED.contains(type)) {
      CONFIG.admin(command);
    }
    CONFIG.await(
        "the end of the coordinator",
        () -> CONFIG.collection("system.sharding_ddl_coordinators").countDocuments() == 0);
    assertConsistent(type, database);
  }

  /** The only member steps down, and is elected in the next term. */
  private static void electAgain() {
    long before = term();
    try {
      CONFIG.admin("{replSetStepDown: 1, secondaryCatchUpPeriodSecs: 0, force: true}");
    } catch (MongoException e) {
      // The connection may go.
    }
    CONFIG.await("a primary of the next term", () -> term() > before);
  }

  /** Of the primary, when it has begun its work; 0 as long as there is none. */
  private static long term() {
    try {
      return CONFIG.admin("{_configsvrBalancerStatus: 1}").getInt64("term").getValue();
    } catch (MongoException e) {
      return 0;
    }
  }

  private static void assertConsistent(String type, String database) {
    BsonDocument collection =
        CONFIG.collection("collections").find(Filters.eq(database + ".c")).first();
    boolean exists = !type.startsWith("drop") || type.equals("dropIndexes");
    assertThat(collection != null).isEqualTo(exists && !type.equals("createDatabase"));
    if (collection != null) {
      assertThat(
              CONFIG
                  .collection("chunks")
                  .countDocuments(Filters.eq("uuid", collection.get("uuid"))))
          .isEqualTo(2);
    }
    // No shard holds writers back.
    for (MongoClient shard : CLIENTS) {
      shard.getDatabase(database).getCollection("free").insertOne(new Document());
      shard.getDatabase(database).getCollection("free").drop();
    }
  }
}
