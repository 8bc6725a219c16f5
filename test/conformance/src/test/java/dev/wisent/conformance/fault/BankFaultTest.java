package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Transfers between accounts of two shards while processes are killed in the middle of two-phase
 * commits: every acknowledged transfer is there as a whole, every aborted one is not, and nothing
 * stays prepared.
 */
@Execution(ExecutionMode.CONCURRENT)
class BankFaultTest {
  private static final int SHARDS = 2;

  private final BankHistory history = new BankHistory();
  private ShardedProcesses cluster;
  private ClientThreads clients;

  /** Each shard has one member, so that what is prepared has to be on its disk. */
  @Test
  void whatIsPreparedSurvivesAKill(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    run(
        ShardedProcesses.start(directory, SHARDS, 1, 1, 1),
        2,
        () -> {
          for (int i = 0; i < SHARDS; i++) {
            killAndStart(cluster.shard(i).getFirst(), 6);
          }
        });
  }

  @Test
  @Tag("faults")
  void killsOfAnyProcessForLong(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    run(
        ShardedProcesses.start(directory, SHARDS, 1, 1, 2),
        4,
        () -> {
          for (int round = 0; round < 8; round++) {
            killAndStart(cluster.shard(round % SHARDS).getFirst(), 40);
            killAndStart(cluster.routers().get(round % 2), 40);
          }
        });
  }

  @Test
  @Tag("faults")
  void electionsForLong(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    run(
        ShardedProcesses.start(directory, SHARDS, 3, 1, 2),
        4,
        () -> {
          for (int round = 0; round < 6; round++) {
            killAndStart(ShardedProcesses.awaitPrimary(cluster.shard(round % SHARDS)), 40);
          }
          for (int i = 0; i < SHARDS; i++) {
            Member stopped = ShardedProcesses.awaitPrimary(cluster.shard(i));
            stopped.pause();
            progress(20);
            stopped.resume();
            progress(20);
          }
        });
  }

  private void killAndStart(Member member, int transfers) {
    progress(transfers);
    member.kill();
    member.start();
  }

  private void progress(int transfers) {
    int before = history.committedCount();
    Eventually.holds(
        "transfers",
        ShardedProcesses.PATIENCE,
        () -> history.committedCount() >= before + transfers || clients.endedEarly());
  }

  private void run(ShardedProcesses processes, int threads, Runnable faults) {
    try (processes;
        ClientThreads load = new ClientThreads();
        MongoClient client = MongoClients.create(ClusterLoad.settings(processes.uri()))) {
      cluster = processes;
      clients = load;
      try {
        open(client);
        for (int i = 0; i < threads; i++) {
          load.start("bank" + i, name -> new BankClient(name, history, processes.uri()));
        }
        faults.run();
        progress(threads);
        load.stop();
        System.out.println("bank under faults: " + history);
        check(client.getDatabase(BankClient.DATABASE));
      } catch (AssertionError | RuntimeException e) {
        cluster.describeInto(e);
        throw e;
      }
    }
  }

  private static void open(MongoClient client) {
    MongoDatabase admin = client.getDatabase("admin");
    for (String name : List.of(BankClient.ACCOUNTS, BankClient.RECEIPTS)) {
      admin.runCommand(
          new Document("shardCollection", BankClient.DATABASE + "." + name)
              .append("key", new Document("_id", "hashed")));
    }
    client
        .getDatabase(BankClient.DATABASE)
        .getCollection(BankClient.ACCOUNTS)
        .insertMany(
            IntStream.range(0, BankClient.ACCOUNT_COUNT)
                .mapToObj(i -> new Document("_id", i).append("x", BankClient.BALANCE))
                .toList());
  }

  private void check(MongoDatabase database) {
    for (int i = 0; i < SHARDS; i++) {
      Member primary = ShardedProcesses.awaitPrimary(cluster.shard(i));
      Eventually.holds("no commit under way", ShardedProcesses.PATIENCE, () -> isDone(primary));
    }
    List<Document> receipts = all(database.getCollection(BankClient.RECEIPTS));
    List<Document> accounts = all(database.getCollection(BankClient.ACCOUNTS));
    assertThat(accounts).hasSize(BankClient.ACCOUNT_COUNT);
    assertThat(history.check(receipts, accounts, BankClient.BALANCE)).isEmpty();
    // Nothing is latched.
    assertThat(
            database
                .getCollection(BankClient.ACCOUNTS)
                .updateMany(new Document(), new Document("$set", new Document("end", true)))
                .getModifiedCount())
        .isEqualTo(BankClient.ACCOUNT_COUNT);
  }

  private static List<Document> all(MongoCollection<Document> collection) {
    return collection.find().into(new ArrayList<>());
  }

  private static boolean isDone(Member primary) {
    try {
      long coordinators =
          primary
              .direct()
              .getDatabase("config")
              .getCollection("transaction_coordinators")
              .countDocuments();
      Document figures = primary.admin("serverStatus").get("transactions", Document.class);
      return coordinators == 0 && figures.getLong("currentPrepared") == 0;
    } catch (MongoException e) {
      return false;
    }
  }
}
