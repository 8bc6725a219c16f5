package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.replica.SharedReplicaSet;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions that do not come to a commit leave no latch, no snapshot and no memory. */
@Tag("scaled")
@ExtendWith(SharedReplicaSet.Extension.class)
class TransactionLeakTest {

  private static final int ABORTED = Integer.getInteger("wisent.aborted.transactions", 1_000);
  private static final int ABANDONED = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private Member primary;
  private MongoClient client;
  private MongoDatabase database;
  private MongoCollection<Document> documents;

  @BeforeEach
  void connect(ReplicaSetProcesses set) {
    primary = set.awaitPrimary();
    client = MongoClients.create(set.uri());
    database = client.getDatabase("leaks");
    database.drop();
    documents = database.getCollection("c");
    documents.createIndex(new Document("key", 1), new IndexOptions().unique(true));
    documents.insertOne(new Document("_id", 0).append("key", 0));
  }

  @AfterEach
  void disconnect() {
    database.drop();
    client.close();
  }

  @Test
  void abortedTransactionsLeaveNothing() {
    long before = figure("totalAborted");
    try (ClientSession session = client.startSession()) {
      for (int i = 1; i <= ABORTED; i++) {
        session.startTransaction(TransactionAttempt.OPTIONS);
        documents.insertOne(session, new Document("_id", i).append("key", i));
        if (i % 10 == 0) {
          documents.updateOne(session, Filters.eq(0), Updates.set("key", -i));
        }
        session.abortTransaction();
      }
    }
    awaitNothingHeld();
    assertThat(figure("totalAborted") - before).isGreaterThanOrEqualTo(ABORTED);
    assertThat(documents.countDocuments()).isEqualTo(1);
    documents.updateOne(Filters.eq(0), Updates.set("key", 7));
  }

  @Test
  void anEndedSessionLeavesNothing() {
    for (int i = 0; i < ABANDONED; i++) {
      try (ClientSession session = client.startSession()) {
        session.startTransaction(TransactionAttempt.OPTIONS);
        documents.updateOne(session, Filters.eq(0), Updates.set("key", -1));
        // Closing it aborts the transaction.
      }
    }
    awaitNothingHeld();
  }

  /** A client that is gone says nothing: its transactions end with their time. */
  @Test
  void abandonedTransactionsEndWithTheirTime() {
    setLifetime(1);
    try {
      List<ClientSession> sessions = new ArrayList<>();
      for (int i = 1; i <= ABANDONED; i++) {
        ClientSession session = client.startSession();
        session.startTransaction(TransactionAttempt.OPTIONS);
        documents.insertOne(session, new Document("_id", i).append("key", i));
        documents.find(session).first();
        sessions.add(session);
      }
      awaitNothingHeld();
      // What they held is free: the keys and documents can be written.
      documents.insertOne(new Document("_id", 1).append("key", ABANDONED));
      assertThat(documents.countDocuments()).isEqualTo(2);
      sessions.forEach(ClientSession::close);
    } finally {
      setLifetime(60);
    }
  }

  private void setLifetime(int seconds) {
    primary.admin(
        new Document("setParameter", 1).append("transactionLifetimeLimitSeconds", seconds));
  }

  private void awaitNothingHeld() {
    Eventually.passes(
        PATIENCE,
        () ->
            assertThat(transactions())
                .containsEntry("currentOpen", 0L)
                .containsEntry("currentLatches", 0L)
                .containsEntry("currentSnapshots", 0L)
                .containsEntry("currentBufferedBytes", 0L));
  }

  private long figure(String name) {
    return ((Number) transactions().get(name)).longValue();
  }

  private Document transactions() {
    return primary.admin("serverStatus").get("transactions", Document.class);
  }
}
