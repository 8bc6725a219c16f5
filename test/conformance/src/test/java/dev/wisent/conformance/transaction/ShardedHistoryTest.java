package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.fault.ClientThreads;
import dev.wisent.testkit.Deadline;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.random.RandomGeneratorFactory;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transactions across shards while chunks move and processes are killed or stopped: every snapshot
 * of a bank has the same sum, lists show no anomaly that snapshot isolation excludes, a commit has
 * one outcome, and two change streams through routers are the same, in order, and lead to the
 * documents that are there in the end.
 *
 * <p>{@code -Dwisent.history.seconds=N} for a longer run, {@code -Dwisent.seed=N} for the choices
 * of an earlier one.
 */
@Tag("faults")
class ShardedHistoryTest {
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("wisent.history.seconds", 15));
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());
  private static final int SHARDS = 2;
  private static final int COMMITS_MIN = 20;
  private static final List<String> SHARDED =
      List.of(
          "checking",
          "savings",
          BankClient.LEDGER,
          "lists0",
          "lists1",
          RepeatedCommitClient.COMMITS,
          RepeatedCommitClient.TALLIES);

  private final SplittableGenerator random =
      RandomGeneratorFactory.<SplittableGenerator>of("L64X128MixRandom").create(SEED);
  private final List<String> faults = new ArrayList<>();
  private final AtomicInteger moved = new AtomicInteger();
  private final AtomicInteger notMoved = new AtomicInteger();

  @Test
  void historiesAreConsistentWhileChunksMove(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    System.out.printf("sharded histories: %d s, seed %d%n", TIME.toSeconds(), SEED);
    try (ShardedProcesses cluster = ShardedProcesses.start(directory, SHARDS, 3, 1, 2);
        TransactionLoad load = new TransactionLoad(cluster.uri());
        ClientThreads movers = new ClientThreads()) {
      try {
        load.start(random.split(), database -> shard(cluster));
        RandomGenerator choices = random.split();
        movers.start("mover", name -> new Mover(choices, cluster.uri()));
        strike(cluster, load);
        movers.stop();
        awaitCommits(cluster, load);
        load.stop();
        try (MongoClient client = client(cluster.uri())) {
          awaitSettled(client.getDatabase("config"));
          TransactionChecks.runOnCluster(load, client.getDatabase(TransactionLoad.DATABASE));
        }
        assertThat(moved).hasPositiveValue();
      } catch (AssertionError | RuntimeException e) {
        AssertionError error =
            new AssertionError(
                "seed %d, data in %s: %s%n%s%n%s moves, %s failed%nfaults:%n%s"
                    .formatted(
                        SEED,
                        directory,
                        e.getMessage(),
                        load.summary(),
                        moved,
                        notMoved,
                        String.join("\n", faults)),
                e);
        cluster.describeInto(error);
        throw error;
      }
      System.out.printf(
          "sharded histories: %d faults, %s moves, %s not moved, %s%n",
          faults.size(), moved, notMoved, load.summary());
    }
  }

  private static MongoClient client(String uri) {
    return MongoClients.create(ClientThreads.settings(uri));
  }

  private static void shard(ShardedProcesses cluster) {
    for (String name : SHARDED) {
      cluster
          .routers()
          .getFirst()
          .admin(
              new Document("shardCollection", TransactionLoad.DATABASE + "." + name)
                  .append("key", new Document("_id", "hashed")));
    }
  }

  /** Moves any chunk to the other shard. What a fault makes of that is no finding. */
  private final class Mover implements ClientThreads.Client {
    private final RandomGenerator choices;
    private final MongoClient client;

    Mover(RandomGenerator choices, String uri) {
      this.choices = choices;
      this.client = client(uri);
    }

    @Override
    public void step() {
      String name = SHARDED.get(choices.nextInt(SHARDED.size()));
      try {
        MongoDatabase config = client.getDatabase("config");
        Document collection =
            config
                .getCollection("collections")
                .find(new Document("_id", TransactionLoad.DATABASE + "." + name))
                .first();
        List<Document> chunks =
            config
                .getCollection("chunks")
                .find(new Document("uuid", collection.get("uuid")))
                .into(new ArrayList<>());
        Document chunk = chunks.get(choices.nextInt(chunks.size()));
        String to = chunk.getString("shard").equals("shard0") ? "shard1" : "shard0";
        client
            .getDatabase("admin")
            .runCommand(
                new Document("moveChunk", TransactionLoad.DATABASE + "." + name)
                    .append("bounds", List.of(chunk.get("min"), chunk.get("max")))
                    .append("to", to));
        moved.incrementAndGet();
      } catch (MongoException e) {
        notMoved.incrementAndGet();
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** One fault after the other; everything is whole when it returns. */
  private void strike(ShardedProcesses cluster, TransactionLoad load) {
    Deadline end = Deadline.after(TIME);
    RandomGenerator choices = random.split();
    while (!end.expired() && !load.endedEarly()) {
      Member victim = victim(cluster, choices);
      boolean kill = choices.nextInt(3) > 0;
      faults.add((kill ? "kill " : "stop ") + victim.address());
      if (kill) {
        victim.kill();
      } else {
        victim.pause();
      }
      await(Duration.ofMillis(choices.nextInt(200, 5_000)), load);
      if (kill) {
        victim.start();
      } else {
        victim.resume();
      }
      await(Duration.ofMillis(choices.nextInt(3_000, 8_000)), load);
    }
  }

  private static Member victim(ShardedProcesses cluster, RandomGenerator choices) {
    int choice = choices.nextInt(10);
    if (choice == 0) {
      return cluster.routers().get(choices.nextInt(2));
    }
    if (choice == 1) {
      return cluster.config().getFirst();
    }
    List<Member> shard = cluster.shard(choices.nextInt(SHARDS));
    return choice < 8
        ? ShardedProcesses.primaryOf(shard).orElse(shard.getFirst())
        : shard.get(choices.nextInt(shard.size()));
  }

  private static void await(Duration time, TransactionLoad load) {
    Deadline deadline = Deadline.after(time);
    while (!deadline.expired() && !load.endedEarly()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static void awaitCommits(ShardedProcesses cluster, TransactionLoad load) {
    for (int i = 0; i < SHARDS; i++) {
      ShardedProcesses.awaitPrimary(cluster.shard(i));
    }
    long before = load.committed();
    Eventually.holds(
        "transactions after the last fault",
        ShardedProcesses.PATIENCE,
        () -> load.committed() > Math.max(before, COMMITS_MIN) || load.endedEarly());
  }

  private static void awaitSettled(MongoDatabase config) {
    Eventually.holds(
        "the end of all migrations",
        ShardedProcesses.PATIENCE,
        () ->
            config.getCollection("migrations").countDocuments() == 0
                && config.getCollection("system.sharding_ddl_coordinators").countDocuments() == 0);
  }
}
