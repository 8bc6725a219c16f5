package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Changes of definitions that come between the phases of a commit on several shards: they wait, and
 * the commit goes through.
 */
class DefinitionsDuringCommitTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String HELD = "commitTransaction.commit.before";

  @TempDir static Path directory;
  private static TransactionCluster cluster;
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private String database;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(2, directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void release() {
    failPoint(new Document("mode", "off"));
  }

  private static Document failPoint(Document settings) {
    var command = new Document("configureFailPoint", "coordinatorPhase");
    command.putAll(settings);
    return cluster.shardClient(0).getDatabase("admin").runCommand(command);
  }

  /**
   * A change of a collection.
   *
   * @param admin whether it is a command of the database admin
   * @param command in which {@code $db} is the name of the database
   */
  private record Change(String name, boolean admin, String command, boolean keepsData) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Change> changes() {
    return Stream.of(
        of("{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x_1'}]}"),
        of("{createIndexes: 'u', indexes: [{key: {x: 1}, name: 'x_1'}]}"),
        of("{dropIndexes: 'c', index: 'old_1'}"),
        of("{collMod: 'c', validationLevel: 'moderate'}"),
        ofAdmin("{refineCollectionShardKey: '$db.c', key: {_id: 1, old: 1}}"),
        ofAdmin("{shardCollection: '$db.u', key: {_id: 1}}"),
        ofAdmin("{movePrimary: '$db', to: '$other'}"),
        new Change("rename sharded", true, "{renameCollection: '$db.c', to: '$db.d'}", false),
        new Change("rename unsharded", true, "{renameCollection: '$db.u', to: '$db.v'}", false),
        new Change("drop", false, "{drop: 'c'}", false),
        new Change("dropDatabase", false, "{dropDatabase: 1}", false));
  }

  private static Change of(String command) {
    return new Change(command, false, command, true);
  }

  private static Change ofAdmin(String command) {
    return new Change(command, true, command, true);
  }

  private MongoDatabase database() {
    return cluster.client().getDatabase(database);
  }

  private MongoCollection<Document> sharded() {
    return database().getCollection("c");
  }

  private MongoCollection<Document> unsharded() {
    return database().getCollection("u");
  }

  private String primary() {
    return cluster
        .client()
        .getDatabase("config")
        .getCollection("databases")
        .find(Filters.eq(database))
        .first()
        .getString("primary");
  }

  private void fill() {
    database = "ddl" + DATABASES.incrementAndGet();
    MongoCollection<Document> accounts = cluster.sharded(database + ".c", "_id");
    accounts.createIndex(new Document("old", 1));
    accounts.createIndex(new Document("_id", 1).append("old", 1));
    accounts.insertOne(new Document("_id", 0).append("x", 10));
    accounts.insertOne(new Document("_id", 100).append("x", 10));
    unsharded().insertOne(new Document("_id", 1).append("x", 10));
  }

  /** A commit that has prepared everything, and stays there until the fail point is off. */
  private CompletableFuture<Void> heldCommit() {
    long before =
        failPoint(
                new Document("mode", new Document("times", 1))
                    .append("data", new Document("point", HELD).append("action", "hang")))
            .getLong("count");
    CompletableFuture<Void> commit =
        CompletableFuture.runAsync(
            () -> {
              try (ClientSession session = cluster.client().startSession()) {
                session.startTransaction();
                sharded().updateOne(session, Filters.eq(0), Updates.inc("x", -3));
                sharded().updateOne(session, Filters.eq(100), Updates.inc("x", 3));
                unsharded().updateOne(session, Filters.eq(1), Updates.inc("x", 1));
                session.commitTransaction();
              }
            },
            Thread::startVirtualThread);
    awaitUntil("the preparation", () -> hits() > before || commit.isDone());
    assertThat(commit).isNotDone();
    return commit;
  }

  private static long hits() {
    return cluster
        .shardClient(0)
        .getDatabase("admin")
        .runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"))
        .getLong("count");
  }

  /** Whether something waits on a shard beside the client that commits. */
  private static boolean isWaiting() {
    for (int i = 0; i < 2; i++) {
      var waiting =
          cluster
              .shardClient(i)
              .getDatabase("admin")
              .aggregate(
                  List.of(
                      new Document("$currentOp", new Document()),
                      Aggregates.match(
                          Filters.and(
                              Filters.eq("waitingForLock", true),
                              Filters.exists("command.coordinateCommitTransaction", false)))))
              .into(new ArrayList<>());
      if (!waiting.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static void awaitUntil(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("no " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private static void end(CompletableFuture<Void> work) throws Exception {
    work.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeWaitsForTheCommit(Change change) throws Exception {
    fill();
    CompletableFuture<Void> commit = heldCommit();
    String other = primary().equals("shard0") ? "shard1" : "shard0";
    Document command =
        Document.parse(change.command.replace("$db", database).replace("$other", other));
    CompletableFuture<Void> changed =
        CompletableFuture.runAsync(
            () ->
                cluster.client().getDatabase(change.admin ? "admin" : database).runCommand(command),
            Thread::startVirtualThread);
    awaitUntil("wait", () -> changed.isDone() || isWaiting());
    assertThat(changed).as("what comes between the phases").isNotDone();
    release();
    end(commit);
    end(changed);
    if (change.keepsData) {
      assertThat(sharded().find(Filters.eq("x", 7)).first()).containsEntry("_id", 0);
      assertThat(sharded().find(Filters.eq("x", 13)).first()).containsEntry("_id", 100);
      assertThat(unsharded().find(Filters.eq("x", 11)).first()).containsEntry("_id", 1);
      assertThat(unsharded().countDocuments()).isEqualTo(1);
      sharded().updateMany(new Document(), Updates.inc("x", 1));
      unsharded().updateMany(new Document(), Updates.inc("x", 1));
    }
  }

  @Test
  void aRenamedCollectionHasWhatWasCommitted() throws Exception {
    fill();
    CompletableFuture<Void> commit = heldCommit();
    CompletableFuture<Void> renamed =
        CompletableFuture.runAsync(
            () ->
                cluster.admin(
                    new Document("renameCollection", database + ".c")
                        .append("to", database + ".d")),
            Thread::startVirtualThread);
    awaitUntil("wait", () -> renamed.isDone() || isWaiting());
    release();
    end(commit);
    end(renamed);
    assertThat(
            database()
                .getCollection("d")
                .find()
                .sort(new Document("_id", 1))
                .into(new ArrayList<>()))
        .extracting(account -> account.getInteger("x"))
        .containsExactly(7, 13);
  }
}
