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

  private void run(ShardedProcesses processes, Runnable faults) {
    try (processes;
        ClusterLoad clients = new ClusterLoad()) {
      cluster = processes;
      load = clients;
      try {
        spread(ClusterClient.ITEMS);
        spread(ClusterClient.COUNTERS);
        load.start(cluster.uri(), CLIENTS);
        progress();
        faults.run();
        load.stop();
        System.out.printf("cluster faults: %s%n", load.summary());
        assertThat(load.errors()).allMatch(error -> error.startsWith(WHOLE_SHARD));
        check();
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
    during("two config servers are killed", second::kill, () -> {});
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
    first.start();
    second.start();
    ShardedProcesses.awaitPrimary(cluster.config());
    progress();
    spread(third, "withThree");
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
