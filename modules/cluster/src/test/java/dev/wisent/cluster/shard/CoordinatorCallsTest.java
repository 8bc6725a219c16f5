package dev.wisent.cluster.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Messages of coordinators that come late. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoordinatorCallsTest {
  private static final int CONFLICTING_OPERATION = 117;
  private static final int INTERRUPTED = 11601;

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
  }

  private MongoCollection<Document> collection(String name) {
    return shard.client().getDatabase("test").getCollection(name);
  }

  private static Document numbered(Document command, UUID run, long attempt, long call) {
    Document coordinator = new Document("id", run).append("attempt", attempt).append("call", call);
    return command.append("routing", new Document("coordinator", coordinator));
  }

  private void drop(String name, UUID run, long attempt, long call) {
    shard
        .client()
        .getDatabase("test")
        .runCommand(numbered(new Document("drop", name), run, attempt, call));
  }

  private void fence(UUID run, long attempt, long call) {
    shard.admin(numbered(new Document("_shardsvrFenceCoordinator", "test.c"), run, attempt, call));
  }

  private void assertRefused(String name, UUID run, long attempt, long call) {
    assertThatThrownBy(() -> drop(name, run, attempt, call))
        .isInstanceOfSatisfying(
            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(CONFLICTING_OPERATION));
  }

  /** The first message was lost, as it seemed, and was repeated. */
  @Test
  void aDropThatComesLateDropsNoNewCollection() {
    MongoCollection<Document> collection = collection("late");
    collection.insertOne(new Document("_id", 1));
    UUID run = UUID.randomUUID();
    drop("late", run, 1, 2);
    collection.insertOne(new Document("_id", 2));
    assertRefused("late", run, 1, 1);
    assertRefused("late", run, 1, 2);
    assertThat(collection.countDocuments()).isEqualTo(1);
    shard.electAgain();
    assertRefused("late", run, 1, 2);
    assertThat(collection.countDocuments()).isEqualTo(1);
    drop("late", UUID.randomUUID(), 1, 1);
    assertThat(collection.countDocuments()).isZero();
  }

  @Test
  void theNextPrimaryOfTheCoordinatorHasGreaterNumbers() {
    UUID run = UUID.randomUUID();
    fence(run, 1, 100);
    fence(run, 2, 1);
    assertRefused("other", run, 1, 101);
    fence(run, 2, 2);
  }

  /** What a coordinator waited for no longer does not hold up what it asks next. */
  @Test
  void aLaterCallEndsAnEarlierOne() {
    UUID run = UUID.randomUUID();
    Document block = new Document("_shardsvrBlockWrites", "test.held").append("id", "another");
    shard.admin(block);
    Document waiting = Document.parse("{insert: 'held', documents: [{}]}");
    CompletableFuture<?> earlier =
        CompletableFuture.runAsync(
            () -> shard.client().getDatabase("test").runCommand(numbered(waiting, run, 1, 1)),
            command -> Thread.ofPlatform().start(command));
    shard.awaitWaiting("insert");
    fence(run, 1, 2);
    assertThatThrownBy(earlier::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(INTERRUPTED));
    shard.admin(new Document("_shardsvrUnblockWrites", "test.held").append("id", "another"));
  }
}
