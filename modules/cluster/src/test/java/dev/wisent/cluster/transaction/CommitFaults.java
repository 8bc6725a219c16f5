package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/** Breaks commits of two shards, of which the first one coordinates, and looks at what is left. */
final class CommitFaults {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final TransactionCluster cluster;

  CommitFaults(TransactionCluster cluster) {
    this.cluster = cluster;
  }

  /** A collection with one account of ten on each shard. */
  MongoCollection<Document> accounts(String name) {
    MongoCollection<Document> accounts = cluster.sharded("crash." + name, "_id");
    accounts.insertOne(new Document("_id", 0).append("x", 10));
    accounts.insertOne(new Document("_id", 100).append("x", 10));
    return accounts;
  }

  /** Moves three from the first account to the other, and commits until the outcome is known. */
  CompletableFuture<Void> transfer(MongoCollection<Document> accounts) {
    return CompletableFuture.runAsync(
        () -> {
          try (ClientSession session = cluster.client().startSession()) {
            session.startTransaction();
            accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
            accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
            while (true) {
              try {
                session.commitTransaction();
                return;
              } catch (MongoException e) {
                if (!e.hasErrorLabel("UnknownTransactionCommitResult")) {
                  throw e;
                }
              }
            }
          }
        });
  }

  static void assertValues(MongoCollection<Document> accounts, int first, int second) {
    assertThat(accounts.find().sort(new Document("_id", 1)).into(new ArrayList<>()))
        .extracting(account -> account.getInteger("x"))
        .containsExactly(first, second);
  }

  Document shard(int number, Document command) {
    return cluster.shardClient(number).getDatabase("admin").runCommand(command);
  }

  /** Has the coordinator die at a point, once. */
  void crashAt(String point) {
    failPoint(0, point, new Document("times", 1));
  }

  /** Keeps a shard from asking for the outcome of what it has prepared. */
  void stopAsking(int number) {
    failPoint(number, "preparedParts.ask", "alwaysOn");
  }

  private void failPoint(int number, String point, Object mode) {
    shard(
        number,
        new Document("configureFailPoint", "coordinatorPhase")
            .append("mode", mode)
            .append("data", new Document("point", point).append("action", "crash")));
  }

  /** Ends what {@link #stopAsking} and {@link #crashAt} have begun. */
  void goOn(int number) {
    shard(number, new Document("configureFailPoint", "coordinatorPhase").append("mode", "off"));
  }

  /** How often fail points have acted on the shard that coordinates. */
  long crashes() {
    return crashes(0);
  }

  long crashes(int number) {
    return shard(number, new Document("configureFailPoint", "failCommand").append("mode", "off"))
        .getLong("count");
  }

  long coordinators() {
    return documents().countDocuments();
  }

  long decisions() {
    return documents().countDocuments(new Document("decision.decision", "commit"));
  }

  /** What the coordinator has stored. */
  MongoCollection<Document> documents() {
    return cluster.shardClient(0).getDatabase("config").getCollection("transaction_coordinators");
  }

  long prepared(int number) {
    return shard(number, new Document("serverStatus", 1))
        .get("transactions", Document.class)
        .getLong("currentPrepared");
  }

  /** What a shard has learned by asking. */
  long learned(int number, String figure) {
    return shard(number, new Document("serverStatus", 1))
        .get("twoPhaseCommitCoordinator", Document.class)
        .get("preparedParts", Document.class)
        .getLong(figure);
  }

  /** The only member steps down, and is elected in the next term. */
  void electAgain(int number) {
    long before = term(number);
    try {
      shard(
          number,
          new Document("replSetStepDown", 1)
              .append("secondaryCatchUpPeriodSecs", 0)
              .append("force", true));
    } catch (MongoException e) {
      // The connection may go.
    }
    awaitUntil("a primary of the next term", () -> term(number) > before);
  }

  /** Of a primary; 0 where there is none. */
  private long term(int number) {
    try {
      Document status = shard(number, new Document("replSetGetStatus", 1));
      return status.getInteger("myState") == 1 ? status.getLong("term") : 0;
    } catch (MongoException e) {
      return 0;
    }
  }

  static void awaitUntil(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("no " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
