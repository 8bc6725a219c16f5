package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private static MongoCollection<Document> accounts(String name) {
    MongoCollection<Document> accounts = cluster.sharded("bank." + name, "_id");
    for (int key : List.of(0, 1, 100, 101)) {
      accounts.insertOne(new Document("_id", key).append("x", 10));
    }
    return accounts;
  }

  private static int sum(ClientSession session, MongoCollection<Document> accounts) {
    return accounts
        .aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("n", "$x"))))
        .first()
        .getInteger("n");
  }

  @Test
  void readsOfAllShardsAreOfOneTime() {
    MongoCollection<Document> accounts = accounts("snapshot");
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
    MongoCollection<Document> accounts = accounts("single");
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
    MongoCollection<Document> accounts = accounts("failed");
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
    MongoCollection<Document> accounts = accounts("aborted");
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
}
