package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.shard.transaction.TransactionOutcomesCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of several shards through a router, as a driver sees them. */
class ShardedTransactionsTest {
  private static final TransactionOptions SNAPSHOT =
      TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();

  @TempDir static Path directory;
  private static TransactionCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static int sum(ClientSession session, MongoCollection<Document> accounts) {
    return accounts
        .aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("n", "$x"))))
        .first()
        .getInteger("n");
  }

  @Test
  void readsOfAllShardsAreOfOneTime() {
    MongoCollection<Document> accounts = cluster.accounts("snapshot");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction(SNAPSHOT);
      assertThat(accounts.find(session, Filters.eq(0)).first()).containsEntry("x", 10);
      accounts.updateMany(new Document(), Updates.inc("x", 1));
      assertThat(accounts.find(session, Filters.eq(100)).first()).containsEntry("x", 10);
      assertThat(sum(session, accounts)).isEqualTo(40);
      assertThat(
              accounts
                  .find(session)
                  .sort(Sorts.descending("_id"))
                  .batchSize(2)
                  .into(new ArrayList<>()))
          .extracting(account -> account.getInteger("_id"))
          .containsExactly(101, 100, 1, 0);
      assertThat(accounts.countDocuments(session)).isEqualTo(4);
      session.commitTransaction();
      session.startTransaction(SNAPSHOT);
      assertThat(sum(session, accounts)).isEqualTo(44);
      session.commitTransaction();
    }
  }

  @Test
  void oneShardWritesAndAnotherReads() {
    MongoCollection<Document> accounts = cluster.accounts("single");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction(SNAPSHOT);
      assertThat(accounts.find(session, Filters.eq(100)).first()).containsEntry("x", 10);
      assertThat(session.getRecoveryToken()).isEmpty();
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", 5));
      assertThat(session.getRecoveryToken().getString("recoveryShardId").getValue())
          .isEqualTo("shard0");
      assertThat(sum(session, accounts)).isEqualTo(45);
      assertThat(accounts.find(Filters.eq(0)).first()).containsEntry("x", 10);
      session.commitTransaction();
      session.commitTransaction();
    }
    assertThat(accounts.find(Filters.eq(0)).first()).containsEntry("x", 15);
  }

  @Test
  void anErrorOfOneShardAbortsAll() {
    MongoCollection<Document> accounts = cluster.accounts("failed");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", 5));
      assertThatThrownBy(() -> accounts.insertOne(session, new Document("_id", 100)))
          .isInstanceOf(MongoException.class)
          .hasMessageContaining("E11000");
      // Its latch is free.
      accounts.updateOne(Filters.eq(0), Updates.inc("x", 1));
      assertThatThrownBy(() -> accounts.find(session, Filters.eq(0)).first())
          .isInstanceOfSatisfying(
              MongoException.class,
              error -> {
                assertThat(error.getCode()).isEqualTo(251);
                assertThat(error.hasErrorLabel("TransientTransactionError")).isTrue();
              });
      session.abortTransaction();
    }
    assertThat(accounts.find(Filters.eq(0)).first()).containsEntry("x", 11);
  }

  @Test
  void anAbortIsForAllShards() {
    MongoCollection<Document> accounts = cluster.accounts("aborted");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      assertThat(
              accounts.updateMany(session, new Document(), Updates.inc("x", 5)).getModifiedCount())
          .isEqualTo(4);
      session.abortTransaction();
    }
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    assertThat(accounts.find().into(new ArrayList<>()))
        .allSatisfy(account -> assertThat(account).containsEntry("x", 11));
  }

  @Test
  void writesOfSeveralShardsCommitTogether() {
    MongoCollection<Document> accounts = cluster.accounts("both");
    try (ClientSession session = cluster.client().startSession();
        var stream =
            cluster.shardClient(1).getDatabase("bank").getCollection("both").watch().cursor()) {
      session.startTransaction(SNAPSHOT);
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
      accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
      accounts.deleteOne(session, Filters.eq(1));
      accounts.insertOne(session, new Document("_id", 102).append("x", 10));
      assertThat(sum(session, accounts)).isEqualTo(40);
      session.commitTransaction();
      session.commitTransaction();
      assertThat(accounts.find(Filters.eq(100)).first()).containsEntry("x", 13);
      session.startTransaction(SNAPSHOT);
      assertThat(accounts.find(session).sort(Sorts.ascending("_id")).into(new ArrayList<>()))
          .extracting(account -> account.getInteger("x"))
          .containsExactly(7, 13, 10, 10);
      session.commitTransaction();
      assertThat(stream.next().getOperationTypeString()).isEqualTo("update");
      var insert = stream.next();
      assertThat(insert.getFullDocument()).containsEntry("_id", 102);
      assertThat(insert.getTxnNumber()).isNotNull();
    }
    assertThat(accounts.countDocuments()).isEqualTo(4);
    Document figures =
        cluster
            .shardClient(1)
            .getDatabase("admin")
            .runCommand(new Document("serverStatus", 1))
            .get("transactions", Document.class);
    assertThat(figures.getLong("totalPreparedThenCommitted")).isPositive();
    assertThat(figures.getLong("currentPrepared")).isZero();
  }

  /** A client is answered as soon as the decision stands, and a shard may hear of it later. */
  @Test
  void aLaterReadWaitsForAShardThatHasNotHeardOfTheCommit() {
    MongoCollection<Document> accounts = cluster.accounts("late");
    MongoDatabase coordinator = cluster.shardClient(0).getDatabase("admin");
    MongoDatabase participant = cluster.shardClient(1).getDatabase("admin");
    failing(participant, "commitTransaction");
    failing(coordinator, TransactionOutcomesCommand.NAME);
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
      accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
      session.commitTransaction();
      assertThat(accounts.find(Filters.eq(100)).first()).containsEntry("x", 10);
      CompletableFuture<Document> read =
          CompletableFuture.supplyAsync(
              () -> accounts.find(session, Filters.eq(100)).first(), Thread::startVirtualThread);
      while (!read.isDone() && !isWaiting(participant, "late")) {
        Thread.onSpinWait();
      }
      assertThat(read).isNotDone();
      failingNothing(participant);
      assertThat(read.orTimeout(60, TimeUnit.SECONDS).join()).containsEntry("x", 13);
    } finally {
      failingNothing(participant);
      failingNothing(coordinator);
    }
  }

  /** Neither the coordinator tells the shard, nor does the shard find out by asking. */
  private static void failing(MongoDatabase admin, String command) {
    admin.runCommand(
        new Document("configureFailPoint", "failCommand")
            .append("mode", "alwaysOn")
            .append(
                "data", new Document("failCommands", List.of(command)).append("errorCode", 11601)));
  }

  private static void failingNothing(MongoDatabase admin) {
    admin.runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"));
  }

  private static boolean isWaiting(MongoDatabase admin, String collection) {
    return admin
            .aggregate(
                List.of(
                    new Document("$currentOp", new Document()),
                    Aggregates.match(
                        Filters.and(
                            Filters.eq("command.find", collection),
                            Filters.eq("waitingForLock", true)))))
            .first()
        != null;
  }

  /** As in MongoDB: where one shard writes, and not where several do. */
  @Test
  void collectionsAreCreatedWhereOneShardWrites() {
    MongoCollection<Document> accounts = cluster.accounts("creating");
    MongoDatabase database = cluster.client().getDatabase("bank");
    String primary =
        cluster
            .client()
            .getDatabase("config")
            .getCollection("databases")
            .find(Filters.eq("bank"))
            .first()
            .getString("primary");
    int elsewhere = primary.equals("shard0") ? 100 : 0;
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      assertThat(accounts.find(session, Filters.eq(elsewhere)).first()).isNotNull();
      database.getCollection("created").insertOne(session, new Document("_id", 1));
      session.commitTransaction();
      assertThat(database.getCollection("created").countDocuments()).isEqualTo(1);
      session.startTransaction();
      accounts.updateOne(session, Filters.eq(elsewhere), Updates.inc("x", 5));
      database.getCollection("refused").insertOne(session, new Document("_id", 1));
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoException.class,
              error -> {
                assertThat(error.getCode()).isEqualTo(263);
                assertThat(error.getErrorLabels()).isEmpty();
              })
          .hasMessageContaining("Cannot create new collections inside distributed transactions");
    }
    assertThat(database.listCollectionNames()).doesNotContain("refused");
    assertThat(accounts.find(Filters.eq(elsewhere)).first()).containsEntry("x", 10);
    accounts.updateMany(new Document(), Updates.inc("x", 1));
  }

  /** The first to write on one shard is the second on the other: one of them goes. */
  @Test
  void aConflictAbortsOnAllShards() {
    MongoCollection<Document> accounts = cluster.accounts("conflict");
    try (ClientSession first = cluster.client().startSession();
        ClientSession second = cluster.client().startSession()) {
      first.startTransaction(SNAPSHOT);
      second.startTransaction(SNAPSHOT);
      accounts.updateOne(first, Filters.eq(0), Updates.inc("x", 1));
      accounts.updateOne(second, Filters.eq(100), Updates.inc("x", 1));
      assertThatThrownBy(() -> accounts.updateOne(first, Filters.eq(100), Updates.inc("x", 1)))
          .isInstanceOfSatisfying(
              MongoException.class,
              error -> assertThat(error.hasErrorLabel("TransientTransactionError")).isTrue());
      first.abortTransaction();
      accounts.updateOne(second, Filters.eq(0), Updates.inc("x", 1));
      second.commitTransaction();
    }
    assertThat(accounts.find(Filters.in("_id", 0, 100)).into(new ArrayList<>()))
        .allSatisfy(account -> assertThat(account).containsEntry("x", 11));
  }
}
