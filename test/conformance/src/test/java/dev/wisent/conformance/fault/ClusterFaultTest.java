package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two shards of three members, three config servers and two routers under load, with one fault
 * after the other: as long as every set has a majority no client sees an error, and in the end
 * every acknowledged write is there once.
 */
@Tag("faults")
class ClusterFaultTest {
  private static final int CLIENTS = 4;
  private static final int PROGRESS = 60;
  private static final String WHOLE_SHARD = "a whole shard is gone";
  private static final String NO_MAJORITY = "two config servers are killed";

  private ShardedProcesses cluster;
  private ClusterLoad load;

  @Test
  void theClusterGoesOnWithoutAnyOneOfItsParts(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    run(
        ShardedProcesses.start(directory, 2, 3, 3, 2),
        () -> {
          routers();
          primaries();
          configServers();
        });
  }

  @Test
  void aShardThatWasGoneIsServedAgain(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    run(ShardedProcesses.start(directory, 2, 1, 1, 2), this::wholeShard);
  }

  /** What it has gathered on a shard goes by itself. */
  @Test
  void nothingIsLeftOfARouterThatDiesInAMapReduce(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    try (ShardedProcesses processes = ShardedProcesses.start(directory, 2, 1, 1, 2)) {
      Member router = processes.routers().get(0);
      spread(router, ClusterClient.ITEMS);
      MongoDatabase database = router.direct().getDatabase(ClusterClient.DATABASE);
      for (int batch = 0; batch < 20; batch++) {
        List<Document> items = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          items.add(new Document("_id", batch * 500 + i).append("text", "x".repeat(1000)));
        }
        database.getCollection(ClusterClient.ITEMS).insertMany(items);
      }
      var mapReduce =
          new Document("mapReduce", ClusterClient.ITEMS)
              .append("map", "function() { emit(this._id, this.text); }")
              .append("reduce", "function(key, values) { return values[0]; }")
              .append("out", new Document("replace", "reduced"));
      var ended = CompletableFuture.runAsync(() -> isDone(() -> database.runCommand(mapReduce)));
      Eventually.holds(
          "a temporary collection", ShardedProcesses.PATIENCE, () -> temporary(processes) > 0);
      router.kill();
      Eventually.holds(
          "no temporary collection", ShardedProcesses.PATIENCE, () -> temporary(processes) == 0);
      ended.join();
      assertThat(processes.countOn(0, ClusterClient.DATABASE, "reduced")).isZero();
      assertThat(processes.countOn(1, ClusterClient.DATABASE, "reduced")).isZero();
    }
  }

  private static long temporary(ShardedProcesses processes) {
    long count = 0;
    for (int shard = 0; shard < 2; shard++) {
      for (String name :
          processes
              .shard(shard)
              .getFirst()
              .direct()
              .getDatabase(ClusterClient.DATABASE)
              .listCollectionNames()) {
        count += name.startsWith("tmp.") ? 1 : 0;
      }
    }
    return count;
  }

  private void run(ShardedProcesses processes, Runnable faults) {
    try (processes;
        ClusterLoad clients = new ClusterLoad()) {
      cluster = processes;
      load = clients;
      try {
        spread(ClusterClient.ITEMS);
        spread(ClusterClient.COUNTERS);
        load.start(cluster.uri(), CLIENTS);
        load.startChanges(cluster.uri());
        progress();
        faults.run();
        load.stop();
        System.out.printf("cluster faults: %s%n%s%n", load.summary(), load.changeErrors());
        assertThat(load.errors()).allMatch(error -> error.startsWith(WHOLE_SHARD));
        assertThat(load.changeErrors())
            .allMatch(error -> error.startsWith(WHOLE_SHARD) || error.startsWith(NO_MAJORITY));
        assertThat(load.changes()).isPositive();
        check();
        checkMetadata();
      } catch (AssertionError | RuntimeException e) {
        var error =
            new AssertionError(
                "%s%n%s%n%s"
                    .formatted(e.getMessage(), load.summary(), String.join("\n", load.errors())),
                e);
        cluster.describeInto(error);
        throw error;
      }
    }
  }

  private void spread(String collection) {
    spread(cluster.routers().getFirst(), collection);
  }

  private static void spread(Member router, String collection) {
    router.admin(
        new Document("shardCollection", ClusterClient.DATABASE + "." + collection)
            .append("key", new Document("_id", "hashed")));
  }

  private void progress() {
    progress(PROGRESS);
  }

  private void progress(int operations) {
    long before = load.steps();
    Eventually.holds(
        "operations of clients",
        ShardedProcesses.PATIENCE,
        () -> load.steps() > before + operations || load.endedEarly());
    assertThat(load.endedEarly()).isFalse();
  }

  /** Breaks something, works, heals it and works again. */
  private void during(String phase, Runnable fault, Runnable cure) {
    phase(phase);
    fault.run();
    progress();
    cure.run();
    progress();
  }

  private void phase(String name) {
    System.out.printf("cluster faults: %s, %s%n", load.summary(), name);
    load.phase(name);
  }

  private void routers() {
    Member first = cluster.routers().get(0);
    Member second = cluster.routers().get(1);
    during("a router is killed", first::kill, first::start);
    during("a router is stopped", second::pause, second::resume);
  }

  private void primaries() {
    Member killed = ShardedProcesses.awaitPrimary(cluster.shard(0));
    during("a primary is killed", killed::kill, killed::start);
    Member stopped = ShardedProcesses.awaitPrimary(cluster.shard(1));
    during("a primary is stopped", stopped::pause, stopped::resume);
  }

  private void configServers() {
    Member first = ShardedProcesses.awaitPrimary(cluster.config());
    during("a config server is killed", first::kill, () -> {});
    spread("withTwo");
    Member second = ShardedProcesses.awaitPrimary(cluster.config());
    during(NO_MAJORITY, second::kill, () -> {});
    assertThatThrownBy(
            () ->
                cluster
                    .routers()
                    .getFirst()
                    .admin(
                        new Document("shardCollection", "fault.withOne")
                            .append("key", new Document("_id", "hashed"))
                            .append("maxTimeMS", 5_000)))
        .isInstanceOf(MongoException.class);
    assertThatThrownBy(() -> spread("withNoLimit"))
        .hasMessageContaining("The config servers have no primary");
    Member third = cluster.newRouter();
    third.start();
    assertThat(
            third
                .direct()
                .getDatabase(ClusterClient.DATABASE)
                .getCollection(ClusterClient.ITEMS)
                .find()
                .first())
        .as("a router that has started with a minority of the config servers")
        .isNotNull();
    third
        .direct()
        .getDatabase(ClusterClient.DATABASE)
        .getCollection("cold")
        .insertOne(new Document("_id", 1));
    first.start();
    second.start();
    ShardedProcesses.awaitPrimary(cluster.config());
    Eventually.holds(
        "a change of metadata",
        ShardedProcesses.PATIENCE,
        () -> isDone(() -> spread(third, "withThreeAgain")));
    phase("all config servers are back");
    progress();
    spread(third, "withThree");
  }

  private static boolean isDone(Runnable change) {
    try {
      change.run();
      return true;
    } catch (MongoException notYet) {
      return false;
    }
  }

  private void wholeShard() {
    List<Member> shard = cluster.shard(1);
    phase(WHOLE_SHARD);
    shard.forEach(Member::kill);
    // Every request for the shard waits for a primary before it fails.
    progress(CLIENTS);
    shard.forEach(Member::start);
    ShardedProcesses.awaitPrimary(shard);
    progress();
  }

  private void check() {
    try (MongoClient client = MongoClients.create(ClusterLoad.settings(cluster.uri()))) {
      MongoDatabase database = client.getDatabase(ClusterClient.DATABASE);
      List<String> wrong = new ArrayList<>();
      List<String> items = ids(database, ClusterClient.ITEMS);
      wrong.addAll(load.items().check("the cluster", items));
      wrong.addAll(load.notes().check("the cluster", ids(database, ClusterClient.NOTES)));
      wrong.addAll(checkCounters(database));
      assertThat(wrong).isEmpty();
      assertThat(database.getCollection(ClusterClient.ITEMS).countDocuments())
          .isEqualTo(items.size());
      assertThat(
              cluster.countOn(0, ClusterClient.DATABASE, ClusterClient.ITEMS)
                  + cluster.countOn(1, ClusterClient.DATABASE, ClusterClient.ITEMS))
          .isEqualTo(items.size());
    }
  }

  /** No coordinator is left, and shards and metadata agree. */
  private void checkMetadata() {
    try (MongoClient client = MongoClients.create(ClusterLoad.settings(cluster.uri()))) {
      Eventually.holds(
          "the end of all coordinators",
          ShardedProcesses.PATIENCE,
          () ->
              client
                      .getDatabase("config")
                      .getCollection("system.sharding_ddl_coordinators")
                      .countDocuments()
                  == 0);
      Document found =
          client
              .getDatabase("admin")
              .runCommand(new Document("checkMetadataConsistency", 1).append("checkIndexes", true));
      assertThat(found.get("cursor", Document.class).getList("firstBatch", Document.class))
          .isEmpty();
    }
  }

  private static List<String> ids(MongoDatabase database, String collection) {
    return database
        .getCollection(collection)
        .find()
        .maxTime(2, TimeUnit.MINUTES)
        .map(document -> document.getString("_id"))
        .into(new ArrayList<>());
  }

  private List<String> checkCounters(MongoDatabase database) {
    Map<String, Map<String, Long>> sums = new HashMap<>();
    Map<String, Long> totals = new HashMap<>();
    for (Document counter : database.getCollection(ClusterClient.COUNTERS).find()) {
      Map<String, Long> byClient = new HashMap<>();
      counter
          .get("by", Document.class)
          .forEach((client, sum) -> byClient.put(client, ((Number) sum).longValue()));
      sums.put(counter.getString("_id"), byClient);
      totals.put(counter.getString("_id"), counter.getLong("total"));
    }
    return load.counters().check("the cluster", sums, totals);
  }
}
