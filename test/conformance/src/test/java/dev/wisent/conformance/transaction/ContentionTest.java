package dev.wisent.conformance.transaction;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.replica.SharedReplicaSet;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The driver's {@code withTransaction} where clients get in each other's way all the time. */
@ExtendWith(SharedReplicaSet.Extension.class)
class ContentionTest {

  private static final int HOT_DOCUMENTS = 10;
  private static final int CLIENTS = 16;
  private static final int TRANSACTIONS_EACH = 4;

  @Test
  void everyTransactionCountsOnce(ReplicaSetProcesses set) throws Exception {
    try (MongoClient client = MongoClients.create(set.uri());
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      MongoDatabase database = client.getDatabase("contention");
      database.drop();
      MongoCollection<Document> hot =
          database.getCollection("hot").withWriteConcern(WriteConcern.MAJORITY);
      hot.insertMany(
          IntStream.range(0, HOT_DOCUMENTS)
              .mapToObj(i -> new Document("_id", i).append("n", 0).append("balance", 0))
              .toList());
      AtomicLong attempts = new AtomicLong();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        tasks.add(
            () -> {
              work(client, hot, number, attempts);
              return null;
            });
      }

      for (Future<Void> future : threads.invokeAll(tasks)) {
        future.get();
      }

      int counted = 0;
      int balance = 0;
      for (Document document : hot.find()) {
        counted += document.getInteger("n");
        balance += document.getInteger("balance");
      }
      int transactions = CLIENTS * TRANSACTIONS_EACH;
      System.out.printf("contention: %d transactions in %s attempts%n", transactions, attempts);
      assertThat(counted).as("increments").isEqualTo(2 * transactions);
      assertThat(balance).as("what was moved").isZero();
      database.drop();
    }
  }

  /**
   * Two of the documents in each transaction, in any order: nothing but conflicts prevents cycles.
   */
  private static void work(
      MongoClient client, MongoCollection<Document> hot, int number, AtomicLong attempts) {
    try (ClientSession session = client.startSession()) {
      for (int round = 0; round < TRANSACTIONS_EACH; round++) {
        int from = (number + round) % HOT_DOCUMENTS;
        int to = (from + 1 + (number * 7 + round * 3) % (HOT_DOCUMENTS - 1)) % HOT_DOCUMENTS;
        session.withTransaction(
            () -> {
              attempts.incrementAndGet();
              // Read and set: an update that is overwritten is not made good by the next one.
              int before = hot.find(session, eq(from)).first().getInteger("balance");
              hot.updateOne(
                  session,
                  eq(from),
                  new Document("$set", new Document("balance", before - 1))
                      .append("$inc", new Document("n", 1)));
              hot.updateOne(session, eq(to), inc("balance", 1));
              return hot.updateOne(session, eq(to), inc("n", 1)).getModifiedCount();
            },
            TransactionAttempt.OPTIONS);
      }
    }
  }
}
