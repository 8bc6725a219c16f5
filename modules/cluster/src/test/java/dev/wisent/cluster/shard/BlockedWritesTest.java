package dev.wisent.cluster.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Writes while a coordinator keeps them out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlockedWritesTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private TestShard shard;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
  }

  @AfterAll
  void stop() {
    shard.close();
    threads.close();
  }

  private MongoCollection<Document> collection(String name) {
    return shard.client().getDatabase("test").getCollection(name);
  }

  private void change(String command, String name) {
    shard.admin(new Document(command, name).append("id", "coordinator"));
  }

  private void block(String name) {
    change("_shardsvrBlockWrites", name);
  }

  private void unblock(String name) {
    change("_shardsvrUnblockWrites", name);
  }

  @Test
  void writersWaitAndSeeNoError() {
    collection("c").insertOne(new Document("_id", 0));
    block("test.c");
    block("test.c");
    CompletableFuture<?> insert =
        CompletableFuture.runAsync(
            () -> collection("c").insertOne(new Document("_id", 1)), threads);
    shard.awaitWaiting("insert");
    CompletableFuture<?> index =
        CompletableFuture.runAsync(
            () ->
                shard.routed(
                    Document.parse("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}]}"),
                    TestShard.unsharded()),
            threads);
    shard.awaitWaiting("createIndexes");
    assertThat(collection("c").countDocuments()).isEqualTo(1);
    collection("other").insertOne(new Document());
    unblock("test.c");
    unblock("test.c");
    insert.join();
    index.join();
    assertThat(collection("c").countDocuments()).isEqualTo(2);
    assertThat(collection("c").listIndexes()).hasSize(2);
  }

  @Test
  void waitsEndWithTheTimeOfTheOperation() {
    block("test");
    try {
      Document insert = Document.parse("{insert: 'late', documents: [{}], maxTimeMS: 20}");
      assertThatThrownBy(() -> shard.client().getDatabase("test").runCommand(insert))
          .isInstanceOf(MongoExecutionTimeoutException.class);
    } finally {
      unblock("test");
    }
  }

  /** What a router knew before the wait is compared again after it. */
  @Test
  void aCollectionIsShardedWhileWritersWait() {
    collection("later").insertOne(new Document("_id", 0));
    block("test.later");
    Document insert = Document.parse("{insert: 'later', documents: [{_id: 1}]}");
    CompletableFuture<Document> stale =
        CompletableFuture.supplyAsync(() -> shard.routed(insert, TestShard.unsharded()), threads);
    shard.awaitWaiting("insert");
    shard.own("test.later", new Document("k", 1), 1);
    unblock("test.later");
    Document error = stale.join().getList("writeErrors", Document.class).getFirst();
    assertThat(error)
        .containsEntry("code", 13388)
        .containsEntry("vWanted", TestShard.version(1, 0));
    assertThat(collection("later").countDocuments()).isEqualTo(1);
  }

  private void hide(String name) {
    shard.admin(
        new Document("_shardsvrBlockWrites", name)
            .append("id", "coordinator")
            .append("reads", true));
  }

  private CompletableFuture<Document> find(String name, String more) {
    Document find = Document.parse("{find: '" + name + "'" + more + "}");
    return CompletableFuture.supplyAsync(() -> shard.routed(find, TestShard.unsharded()), threads);
  }

  /** The error that something ends with. */
  private static int code(CompletableFuture<?> failing) {
    try {
      failing.join();
    } catch (CompletionException e) {
      return ((MongoException) e.getCause()).getCode();
    }
    throw new AssertionError("no error");
  }

  /** Its transaction may hold what the coordinator waits for. */
  @Test
  void aStatementDoesNotWaitForWhatIsHidden() {
    collection("h").insertOne(new Document("_id", 0));
    try (var session = shard.client().startSession()) {
      session.startTransaction();
      collection("h").updateOne(session, new Document("_id", 0), Updates.set("x", 1));
      hide("test.h");
      Document find = new Document("find", "h").append("shardVersion", TestShard.unsharded());
      assertThatThrownBy(() -> shard.client().getDatabase("test").runCommand(session, find))
          .isInstanceOfSatisfying(
              MongoException.class,
              e -> {
                assertThat(e.getCode()).isEqualTo(112);
                assertThat(e.getErrorLabels()).contains("TransientTransactionError");
              });
      session.abortTransaction();
    } finally {
      unblock("test.h");
    }
    assertThat(collection("h").find().first()).doesNotContainKey("x");
  }

  @Test
  void theWaitForWhatIsHiddenEndsWithTheOperation() {
    collection("k").insertOne(new Document("_id", 0));
    hide("test.k");
    try {
      assertThat(code(find("k", ", maxTimeMS: 20"))).isEqualTo(50);
      CompletableFuture<Document> killed = find("k", ", comment: 'killed'");
      shard.awaitWaiting("find");
      Document shown =
          shard
              .admin(new Document("currentOp", 1).append("command.comment", "killed"))
              .getList("inprog", Document.class)
              .getFirst();
      shard.admin(new Document("killOp", 1).append("op", shown.get("opid")));
      assertThat(code(killed)).isEqualTo(11601);
      CompletableFuture<Document> served = find("k", "");
      shard.awaitWaiting("find");
      unblock("test.k");
      assertThat(served.join()).containsEntry("ok", 1.0);
    } finally {
      unblock("test.k");
    }
  }

  @Test
  void theWaitForWhatIsHiddenEndsWithLeadership() {
    collection("l").insertOne(new Document("_id", 0));
    hide("test.l");
    CompletableFuture<Document> left = find("l", "");
    shard.awaitWaiting("find");
    try {
      shard.admin(
          new Document("replSetStepDown", 1)
              .append("secondaryCatchUpPeriodSecs", 0)
              .append("force", true));
    } catch (MongoException e) {
      // The connection may go.
    }
    assertThat(code(left)).isEqualTo(11602);
    while (!isPrimary()) {
      Thread.onSpinWait();
    }
    unblock("test.l");
  }

  private boolean isPrimary() {
    return shard.admin(new Document("hello", 1)).getBoolean("isWritablePrimary");
  }

  @Test
  void aTransactionDoesNotOutliveABlock() {
    collection("t").insertOne(new Document("_id", 0));
    try (var session = shard.client().startSession()) {
      session.startTransaction();
      collection("t").insertOne(session, new Document("_id", 1));
      block("test.t");
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoException.class,
              e -> assertThat(e.getErrorLabels()).contains("TransientTransactionError"));
      session.startTransaction();
      assertThatThrownBy(() -> collection("t").insertOne(session, new Document("_id", 2)))
          .isInstanceOfSatisfying(
              MongoException.class, e -> assertThat(e.getCode()).isEqualTo(112));
      session.abortTransaction();
      unblock("test.t");
      session.startTransaction();
      collection("t").insertOne(session, new Document("_id", 3));
      session.commitTransaction();
    }
    assertThat(collection("t").find().map(found -> found.getInteger("_id")))
        .containsExactlyElementsOf(List.of(0, 3));
  }
}
