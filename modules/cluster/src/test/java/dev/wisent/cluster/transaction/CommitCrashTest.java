package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of two shards whose coordinator and participants fail between their phases. */
class CommitCrashTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

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
    MongoCollection<Document> accounts = cluster.sharded("crash." + name, "_id");
    accounts.insertOne(new Document("_id", 0).append("x", 10));
    accounts.insertOne(new Document("_id", 100).append("x", 10));
    return accounts;
  }

  @Test
  void aDecisionIsCarriedOutByTheNextPrimary() throws Exception {
    MongoCollection<Document> accounts = accounts("decided");
    crashAt("commitTransaction.commit.before");
    CompletableFuture<Void> commit = transfer(accounts);
    awaitUntil("the decision", () -> decisions() == 1);
    electAgain(1);
    assertThat(prepared(1)).isEqualTo(1);
    // Readers of the newest state do not wait, and writers do.
    assertThat(accounts.find(Filters.eq(100)).first()).containsEntry("x", 10);
    MongoCollection<Document> behind =
        cluster.shardClient(1).getDatabase("crash").getCollection("decided");
    assertThatThrownBy(
            () ->
                behind
                    .withTimeout(100, TimeUnit.MILLISECONDS)
                    .updateOne(Filters.eq(100), Updates.inc("x", 1), new UpdateOptions()))
        .isInstanceOf(MongoException.class);
    electAgain(0);
    commit.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    awaitUntil("the end", () -> coordinators() == 0);
    assertValues(accounts, 7, 13);
    assertThat(prepared(0) + prepared(1)).isZero();
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    assertValues(accounts, 8, 14);
  }

  /** All shards have the same outcome, and where a decision was stored it is that. */
  @Test
  @Tag("faults")
  void everyPhaseSurvives() throws Exception {
    int number = 0;
    for (String point :
        List.of("prepare.before", "prepare.after", "commit.before", "commit.after")) {
      MongoCollection<Document> accounts = accounts("phase" + number++);
      crashAt("commitTransaction." + point);
      CompletableFuture<Void> commit = transfer(accounts);
      awaitUntil("the crash", () -> coordinators() > 0 || commit.isDone());
      electAgain(0);
      electAgain(1);
      boolean committed = hasCommitted(commit);
      awaitUntil("the end", () -> coordinators() == 0);
      assertValues(accounts, committed ? 7 : 10, committed ? 13 : 10);
      assertThat(committed || point.startsWith("prepare")).as(point).isTrue();
    }
  }

  /** What was not prepared ends with the term of its leader. */
  private static boolean hasCommitted(CompletableFuture<Void> commit) throws Exception {
    try {
      commit.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      assertThat(e).cause().isInstanceOf(MongoException.class).hasMessageContaining("aborted");
      return false;
    }
  }

  @Test
  void aShardThatLosesItsPartAbortsAll() {
    MongoCollection<Document> accounts = accounts("lost");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
      accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
      electAgain(1);
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoException.class,
              error -> {
                assertThat(error.getCode()).isEqualTo(251);
                assertThat(error.hasErrorLabel("TransientTransactionError")).isTrue();
              });
    }
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    assertValues(accounts, 11, 11);
    awaitUntil("the end", () -> coordinators() == 0);
  }

  private static CompletableFuture<Void> transfer(MongoCollection<Document> accounts) {
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

  private static void assertValues(MongoCollection<Document> accounts, int first, int second) {
    assertThat(accounts.find().sort(new Document("_id", 1)).into(new ArrayList<>()))
        .extracting(account -> account.getInteger("x"))
        .containsExactly(first, second);
  }

  private static Document shard(int number, Document command) {
    return cluster.shardClient(number).getDatabase("admin").runCommand(command);
  }

  private static void crashAt(String point) {
    shard(
        0,
        new Document("configureFailPoint", "coordinatorPhase")
            .append("mode", new Document("times", 1))
            .append("data", new Document("point", point).append("action", "crash")));
  }

  private static long coordinators() {
    return coordinators(new Document());
  }

  private static long decisions() {
    return coordinators(new Document("decision.decision", "commit"));
  }

  private static long coordinators(Document filter) {
    MongoClient shard = cluster.shardClient(0);
    return shard
        .getDatabase("config")
        .getCollection("transaction_coordinators")
        .countDocuments(filter);
  }

  private static long prepared(int number) {
    return shard(number, new Document("serverStatus", 1))
        .get("transactions", Document.class)
        .getLong("currentPrepared");
  }

  /** The only member steps down, and is elected in the next term. */
  private static void electAgain(int number) {
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
  private static long term(int number) {
    try {
      Document status = shard(number, new Document("replSetGetStatus", 1));
      return status.getInteger("myState") == 1 ? status.getLong("term") : 0;
    } catch (MongoException e) {
      return 0;
    }
  }

  private static void awaitUntil(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("no " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
