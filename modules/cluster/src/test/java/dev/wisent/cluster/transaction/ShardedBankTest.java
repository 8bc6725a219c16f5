package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers between accounts on three shards: every snapshot of all of them has the same sum. */
class ShardedBankTest {
  private static final int SHARDS = 3;
  private static final int ACCOUNTS_PER_SHARD = 3;
  private static final int BALANCE = 100;
  private static final TransactionOptions SNAPSHOT =
      TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();

  /** Each a thread of its own: the common pool has as few as one. */
  private static final Executor THREADS = work -> Thread.ofVirtual().start(work);

  @TempDir static Path directory;
  private static TransactionCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(SHARDS, directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void sumsStayTheSame() {
    run("short", 2, 15, 5);
  }

  @Test
  @Tag("faults")
  void sumsStayTheSameForLong() {
    run("long", 4, 500, 100);
  }

  private static void run(String name, int clients, int transfers, int readsMin) {
    MongoCollection<Document> accounts = cluster.sharded("bank." + name, "_id");
    for (int i = 0; i < SHARDS * ACCOUNTS_PER_SHARD; i++) {
      accounts.insertOne(new Document("_id", account(i)).append("x", BALANCE));
    }
    var writing = new AtomicBoolean(true);
    var reads = new AtomicInteger();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              while (writing.get() || reads.get() < readsMin) {
                read(accounts, reads);
              }
            },
            THREADS);
    var writers = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < clients; i++) {
      var random = new Random(i);
      writers.add(CompletableFuture.runAsync(() -> transfer(accounts, random, transfers), THREADS));
    }
    writers.forEach(CompletableFuture::join);
    writing.set(false);
    reader.join();
    assertThat(reads.get()).isGreaterThanOrEqualTo(readsMin);
    try (ClientSession session = cluster.client().startSession()) {
      assertThat(sum(session, accounts)).isEqualTo(SHARDS * ACCOUNTS_PER_SHARD * BALANCE);
    }
  }

  private static int account(int number) {
    return number % SHARDS * TransactionCluster.KEYS_PER_SHARD + number / SHARDS;
  }

  private static void transfer(MongoCollection<Document> accounts, Random random, int count) {
    try (ClientSession session = cluster.client().startSession()) {
      for (int i = 0; i < count; i++) {
        int from = account(random.nextInt(SHARDS * ACCOUNTS_PER_SHARD));
        int to = account(random.nextInt(SHARDS * ACCOUNTS_PER_SHARD));
        int amount = random.nextInt(10);
        session.withTransaction(
            () -> {
              accounts.updateOne(session, Filters.eq(from), Updates.inc("x", -amount));
              accounts.updateOne(session, Filters.eq(to), Updates.inc("x", amount));
              return null;
            },
            SNAPSHOT);
      }
    }
  }

  /** Once shard by shard, and once over all of them. */
  private static void read(MongoCollection<Document> accounts, AtomicInteger reads) {
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction(SNAPSHOT);
      int total = 0;
      for (int i = 0; i < SHARDS * ACCOUNTS_PER_SHARD; i++) {
        total += accounts.find(session, Filters.eq(account(i))).first().getInteger("x");
      }
      int sum = sum(session, accounts);
      session.commitTransaction();
      assertThat(List.of(total, sum)).containsOnly(SHARDS * ACCOUNTS_PER_SHARD * BALANCE);
      reads.incrementAndGet();
    } catch (MongoException e) {
      if (!e.hasErrorLabel("TransientTransactionError")) {
        throw e;
      }
    }
  }

  private static int sum(ClientSession session, MongoCollection<Document> accounts) {
    return accounts
        .aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("n", "$x"))))
        .first()
        .getInteger("n");
  }
}
