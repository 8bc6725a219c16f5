package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
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
  private static CommitFaults faults;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
    faults = new CommitFaults(cluster);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aDecisionIsCarriedOutByTheNextPrimary() throws Exception {
    MongoCollection<Document> accounts = faults.accounts("decided");
    faults.crashAt("commitTransaction.commit.before");
    faults.stopAsking(1);
    CompletableFuture<Void> commit = faults.transfer(accounts);
    CommitFaults.awaitUntil("the decision", () -> faults.decisions() == 1);
    faults.electAgain(1);
    assertThat(faults.prepared(1)).isEqualTo(1);
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
    faults.electAgain(0);
    commit.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
    faults.goOn(1);
    CommitFaults.assertValues(accounts, 7, 13);
    assertThat(faults.prepared(0) + faults.prepared(1)).isZero();
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    CommitFaults.assertValues(accounts, 8, 14);
  }

  /** All shards have the same outcome, and where a decision was stored it is that. */
  @Test
  @Tag("faults")
  void everyPhaseSurvives() throws Exception {
    int number = 0;
    for (String point :
        List.of(
            "prepare.before",
            "prepare.after",
            "commit.before",
            "commit.after",
            "end.before",
            "end.after")) {
      MongoCollection<Document> accounts = faults.accounts("phase" + number++);
      long crashes = faults.crashes();
      faults.crashAt("commitTransaction." + point);
      CompletableFuture<Void> commit = faults.transfer(accounts);
      // A coordinator that the next term resumes would crash in that, and stay so.
      CommitFaults.awaitUntil("the crash", () -> faults.crashes() > crashes);
      faults.electAgain(0);
      faults.electAgain(1);
      boolean committed = hasCommitted(commit);
      CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
      CommitFaults.assertValues(accounts, committed ? 7 : 10, committed ? 13 : 10);
      assertThat(committed || point.startsWith("prepare")).as(point).isTrue();
    }
  }

  /** The other shard has lost its part, and so all parts are aborted. */
  @Test
  @Tag("faults")
  void everyPhaseOfAnAbortSurvives() {
    int number = 0;
    for (String point : List.of("undo.before", "undo.after", "end.before", "end.after")) {
      MongoCollection<Document> accounts = faults.accounts("undo" + number++);
      try (ClientSession session = cluster.client().startSession()) {
        session.startTransaction();
        accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
        accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
        faults.electAgain(1);
        long crashes = faults.crashes();
        faults.crashAt("commitTransaction." + point);
        assertThatThrownBy(session::commitTransaction).isInstanceOf(MongoException.class);
        CommitFaults.awaitUntil("the crash", () -> faults.crashes() > crashes);
      }
      faults.electAgain(0);
      CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
      CommitFaults.awaitUntil("no part", () -> faults.prepared(0) + faults.prepared(1) == 0);
      accounts.updateMany(new Document(), Updates.inc("x", 1));
      CommitFaults.assertValues(accounts, 11, 11);
    }
  }

  @Test
  void aMoveIsNeitherLostNorDoubled() throws Exception {
    move("commit.before");
  }

  @Test
  @Tag("faults")
  void aMoveSurvivesEveryPhase() throws Exception {
    for (String point : List.of("prepare.before", "prepare.after", "commit.after")) {
      move(point);
    }
  }

  /** An update that gives a document to the other shard, and a crash of its coordinator. */
  private static void move(String point) throws Exception {
    String name = "move" + point.replace('.', '_');
    MongoCollection<Document> collection = cluster.sharded("crash." + name, "k");
    collection.insertOne(new Document("_id", 1).append("k", 1).append("x", 0));
    long crashes = faults.crashes();
    faults.crashAt("commitTransaction." + point);
    var update =
        CompletableFuture.runAsync(
            () ->
                collection.updateOne(
                    Filters.eq("k", 1),
                    Updates.combine(Updates.set("k", 150), Updates.inc("x", 1))));
    CommitFaults.awaitUntil("the crash", () -> faults.crashes() > crashes);
    faults.electAgain(0);
    faults.electAgain(1);
    // The driver tries once more; the second attempt finds the first one's effect, or has its own.
    update.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
    assertThat(collection.find().into(new ArrayList<>()))
        .containsExactly(new Document("_id", 1).append("k", 150).append("x", 1));
    for (int shard = 0; shard < 2; shard++) {
      assertThat(
              cluster.shardClient(shard).getDatabase("crash").getCollection(name).countDocuments())
          .isEqualTo(shard);
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

  /** Shards that have committed go on with the session: told again, they have heard it before. */
  @Test
  void aDecisionIsToldAgainToSessionsThatHaveGoneOn() {
    MongoCollection<Document> accounts = faults.accounts("again");
    long crashes = faults.crashes();
    faults.crashAt("commitTransaction.commit.after");
    try (ClientSession session = cluster.client().startSession()) {
      for (int i = 0; i < 2; i++) {
        session.startTransaction();
        accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -1));
        accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 1));
        session.commitTransaction();
      }
    }
    assertThat(faults.crashes()).isGreaterThan(crashes);
    CommitFaults.awaitUntil("the end of the second", () -> faults.coordinators() == 1);
    faults.electAgain(0);
    CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
    CommitFaults.assertValues(accounts, 8, 12);
  }

  @Test
  void aShardThatLosesItsPartAbortsAll() {
    MongoCollection<Document> accounts = faults.accounts("lost");
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      accounts.updateOne(session, Filters.eq(0), Updates.inc("x", -3));
      accounts.updateOne(session, Filters.eq(100), Updates.inc("x", 3));
      faults.electAgain(1);
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoException.class,
              error -> {
                assertThat(error.getCode()).isEqualTo(251);
                assertThat(error.hasErrorLabel("TransientTransactionError")).isTrue();
              });
    }
    accounts.updateMany(new Document(), Updates.inc("x", 1));
    CommitFaults.assertValues(accounts, 11, 11);
    CommitFaults.awaitUntil("the end", () -> faults.coordinators() == 0);
  }
}
