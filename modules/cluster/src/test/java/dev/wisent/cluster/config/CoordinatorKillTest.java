package dev.wisent.cluster.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.config.ddl.DdlCoordinators;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.CoordinatorTestNode;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every coordinator is killed before and after every phase. The next primary completes it: no
 * document of it is left, shards and metadata agree, writes are possible again, and the same
 * request succeeds. Where a phase fails instead, it is as if the request had never come.
 */
class CoordinatorKillTest {
  @RegisterExtension static final ConfigSet CONFIG = new ConfigSet();

  private static final String COORDINATORS = "system.sharding_ddl_coordinators";
  private static final List<EmbeddedSet> SHARDS = new ArrayList<>();
  private static final List<MongoClient> CLIENTS = new ArrayList<>();

  /** How many there were. */
  private static int databases;

  /** Those that find nothing to do when they are done. */
  private static final Set<String> NOT_REPEATED =
      Set.of("dropIndexes", "renameCollection", "unshardCollection");

  /** Those after which the collection is not in the metadata. */
  private static final Set<String> UNTRACKED =
      Set.of("createDatabase", "unshardCollection", "untrackUnshardedCollection");

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
          Map.entry(
              "shardCollection", new Scenario(List.of("{_configsvrCreateDatabase: '%s'}"), SHARD)),
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
              "reshardCollection",
              new Scenario(
                  List.of(SHARD),
                  "{_configsvrReshardCollection: '%s.c', key: {x: 'hashed'}, numInitialChunks:"
                      + " 2}")),
          Map.entry(
              "unshardCollection",
              new Scenario(List.of(SHARD), "{_configsvrUnshardCollection: '%s.c'}")),
          Map.entry(
              "moveCollection",
              new Scenario(
                  List.of(
                      "{_configsvrCreateDatabase: '%s', primaryShardId: 'rs0'}",
                      SHARD, "{_configsvrUnshardCollection: '%s.c'}"),
                  "{_configsvrMoveCollection: '%s.c', toShard: 'rs1'}")),
          Map.entry(
              "untrackUnshardedCollection",
              new Scenario(
                  List.of(
                      "{_configsvrCreateDatabase: '%s', primaryShardId: 'rs0'}",
                      SHARD,
                      "{_configsvrUnshardCollection: '%s.c', toShard: 'rs1'}",
                      "{_configsvrMovePrimary: '%s', to: 'rs1'}"),
                  "{_configsvrUntrackUnshardedCollection: '%s.c'}")),
          Map.entry(
              "recreateRangeDeletionTasks",
              new Scenario(List.of(SHARD), "{_configsvrRecreateRangeDeletionTasks: '%s.c'}")),
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
    kill("shardCollection", "shardCollection.commit.after");
  }

  @Test
  @Tag("faults")
  void everyPhaseSurvives() {
    for (Coordinator coordinator : coordinators()) {
      for (String point : CoordinatorTestNode.pointsOf(coordinator)) {
        kill(coordinator.type(), point);
      }
      kill(coordinator.type(), coordinator.type() + ".end.before");
      kill(coordinator.type(), coordinator.type() + ".end.after");
    }
  }

  /** From the first phase that cannot be undone, they are repeated. */
  @Test
  void everyPhaseCanFail() {
    for (Coordinator coordinator : coordinators()) {
      for (Phase phase : coordinator.phases()) {
        String point = coordinator.type() + "." + phase.name();
        fail(coordinator.type(), point + ".before", phase.reversible());
        fail(coordinator.type(), point + ".after", phase.reversible());
      }
    }
  }

  private void fail(String type, String point, boolean isUndone) {
    Prepared prepared = prepare(type);
    failPoint(point, "fail");
    if (isUndone) {
      BsonDocument error = CONFIG.fail(prepared.command);
      assertThat(error.getString("errmsg").getValue()).as(point).contains("failed at " + point);
      assertNothingHeld(point, prepared.database);
      assertThat(state(prepared.database)).as(point).isEqualTo(prepared.state);
    }
    CONFIG.admin(prepared.command);
    assertDone(type, point, prepared);
  }

  /**
   * A new database before a coordinator.
   *
   * @param state of the database
   */
  private record Prepared(String database, String command, List<String> state) {}

  private Prepared prepare(String type) {
    Scenario scenario = SCENARIOS.get(type);
    String database = "d" + databases++;
    scenario.before.forEach(command -> CONFIG.admin(command.replace("%s", database)));
    return new Prepared(database, scenario.command.replace("%s", database), state(database));
  }

  private static void failPoint(String point, String action) {
    CONFIG.admin(
        "{configureFailPoint: 'coordinatorPhase', mode: {times: 1}, data: {point: '%s', action: '%s'}}"
            .formatted(point, action));
  }

  private void kill(String type, String point) {
    Prepared prepared = prepare(type);
    failPoint(point, "crash");
    BsonDocument error = CONFIG.fail(prepared.command);
    assertThat(error.getString("errmsg").getValue()).contains("crash at " + point);
    assertThat(CONFIG.collection(COORDINATORS).countDocuments())
        .as(point)
        .isEqualTo(point.endsWith(".end.after") ? 0 : 1);
    electAgain();
    if (!NOT_REPEATED.contains(type)) {
      CONFIG.admin(prepared.command);
    }
    CONFIG.await(
        "the end of the coordinator after " + point,
        () -> CONFIG.collection(COORDINATORS).countDocuments() == 0);
    assertDone(type, point, prepared);
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

  private static void assertDone(String type, String point, Prepared prepared) {
    String database = prepared.database;
    if (!type.equals("recreateRangeDeletionTasks")) {
      assertThat(state(database)).as(point).isNotEqualTo(prepared.state);
    }
    BsonDocument collection =
        CONFIG.collection("collections").find(Filters.eq(database + ".c")).first();
    boolean exists = !type.startsWith("drop") || type.equals("dropIndexes");
    assertThat(collection != null).as(point).isEqualTo(exists && !UNTRACKED.contains(type));
    if (collection != null) {
      assertThat(
              CONFIG
                  .collection("chunks")
                  .countDocuments(Filters.eq("uuid", collection.get("uuid"))))
          .as(point)
          .isEqualTo(type.equals("moveCollection") ? 1 : 2);
    }
    assertNothingHeld(point, database);
  }

  /** Shards and metadata agree, and no shard holds writers back. */
  private static void assertNothingHeld(String point, String database) {
    assertThat(CONFIG.collection(COORDINATORS).countDocuments()).as(point).isZero();
    assertThat(
            CONFIG
                .admin(
                    "{_configsvrCheckMetadataConsistency: '%s', checkIndexes: true}"
                        .formatted(database))
                .getArray("inconsistencies"))
        .as(point)
        .isEmpty();
    for (MongoClient shard : CLIENTS) {
      assertThat(shard.getDatabase("config").getCollection("shard.catalog.blocks").countDocuments())
          .as(point)
          .isZero();
      shard.getDatabase(database).getCollection("free").insertOne(new Document());
      shard.getDatabase(database).getCollection("free").drop();
    }
  }

  /** All that the metadata and the shards say about a database. */
  private static List<String> state(String database) {
    var state = new ArrayList<String>();
    Bson ofDatabase = Filters.regex("_id", "^" + database + "($|\\.)");
    for (String name : List.of("databases", "collections", "tags")) {
      CONFIG.collection(name).find(ofDatabase).forEach(each -> state.add(each.toJson()));
    }
    for (MongoClient shard : CLIENTS) {
      MongoDatabase there = shard.getDatabase(database);
      var collections = there.listCollections().into(new ArrayList<>());
      collections.sort(Comparator.comparing(each -> each.getString("name")));
      for (Document collection : collections) {
        state.add(collection.toJson());
        there
            .getCollection(collection.getString("name"))
            .listIndexes()
            .forEach(index -> state.add(index.toJson()));
      }
      for (String table : List.of("databases", "collections")) {
        shard
            .getDatabase("config")
            .getCollection("shard.catalog." + table)
            .find(ofDatabase)
            .forEach(each -> state.add(each.toJson()));
      }
    }
    return state;
  }
}
