package dev.wisent.conformance.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Index builds on one large collection, which is loaded once. A fail point keeps each of them from
 * ending before the test has done to it what it is about.
 *
 * <p>{@code -Dwisent.build.documents=N} for another number of documents.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Execution(ExecutionMode.CONCURRENT)
class OnlineIndexBuildTest {
  private static final int DOCUMENTS = Integer.getInteger("wisent.build.documents", 500_000);
  private static final int WRITERS = 4;
  private static final int STEPS_MEANWHILE = 25;

  private static final int INTERRUPTED = 11601;
  private static final int INDEX_BUILD_ABORTED = 276;
  private static final int DUPLICATE_KEY = 11000;

  private static final Document BY_VALUE =
      BuildData.index("byValue", new Document("value", 1).append("host", -1));
  private static final Document BY_TAGS = BuildData.index("byTags", new Document("tags", 1));
  private static final Document BY_SERIAL =
      BuildData.index("bySerial", new Document("serial", 1)).append("unique", true);

  private static ServerProcess server;
  private static MongoClient client;
  private static ExecutorService executor;
  private static BuildData data;

  @BeforeAll
  static void load(@TempDir Path directory) {
    server =
        ServerProcess.start(
            ProcessOptions.in(directory).withArguments("--setParameter", "enableTestCommands=1"));
    client = MongoClients.create(server.uri());
    executor = Executors.newCachedThreadPool();
    data = new BuildData(client, DOCUMENTS);
    data.load();
  }

  @AfterAll
  static void stop() {
    executor.shutdownNow();
    client.close();
    server.close();
  }

  @BeforeEach
  void keepBuildsFromEnding() {
    hang("alwaysOn");
  }

  @AfterEach
  void letBuildsEnd() {
    hang("off");
  }

  private static void hang(String mode) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "hangAfterStartingIndexBuild").append("mode", mode));
  }

  private static int result(Future<Integer> build) throws Exception {
    return build.get(BuildData.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  @Order(1)
  void killOpEndsABuild() throws Exception {
    Future<Integer> build = data.build(executor, BY_VALUE, BY_TAGS);
    Document operation = data.awaitProgress(build);
    assertThat(operation.getString("msg")).matches("(Index Build: [a-z ]+) \\1: \\d+/\\d+ \\d+%");
    Document progress = operation.get("progress", Document.class);
    assertThat(progress.getLong("done")).isBetween(0L, progress.getLong("total"));
    client
        .getDatabase("admin")
        .runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
    assertThat(result(build)).isEqualTo(INTERRUPTED);
    assertThat(data.indexNames()).containsExactly("_id_");
    assertThat(logged("Index build: failed")).isPositive();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  @Order(2)
  void droppingItsIndexesEndsABuild() throws Exception {
    Future<Integer> build = data.build(executor, BY_VALUE, BY_TAGS);
    data.awaitProgress(build);
    data.collection().dropIndexes();
    assertThat(result(build)).isEqualTo(INDEX_BUILD_ABORTED);
    assertThat(data.indexNames()).containsExactly("_id_");
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  @Order(3)
  void aDuplicateThatIsWrittenMeanwhileFailsABuildAndNotTheWrite() throws Exception {
    Future<Integer> build = data.build(executor, BY_SERIAL, BY_TAGS);
    data.awaitProgress(build);
    data.collection().insertOne(new Document("_id", -1).append("serial", DOCUMENTS / 2));
    assertThat(build.isDone()).isFalse();
    letBuildsEnd();
    assertThat(result(build)).isEqualTo(DUPLICATE_KEY);
    assertThat(data.indexNames()).containsExactly("_id_");
    data.collection().deleteOne(Filters.eq("_id", -1));
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  @Order(4)
  void writersGoOnWhileIndexesAreBuilt() throws Exception {
    var stop = new AtomicBoolean();
    List<BuildWriter> writers = new ArrayList<>();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      var writer = new BuildWriter(data.collection(), i, DOCUMENTS, stop);
      writers.add(writer);
      running.add(executor.submit(writer));
    }
    try {
      Future<Integer> build = data.build(executor, BY_VALUE, BY_TAGS, BY_SERIAL);
      data.awaitProgress(build);
      for (BuildWriter writer : writers) {
        long enough = writer.steps() + STEPS_MEANWHILE;
        Eventually.holds("writers go on", BuildData.PATIENCE, () -> writer.steps() >= enough);
      }
      assertThat(build.isDone()).isFalse();
      letBuildsEnd();
      assertThat(result(build)).isZero();
    } finally {
      stop.set(true);
    }
    for (Future<?> writer : running) {
      writer.get(BuildData.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(data.indexNames()).containsExactly("_id_", "bySerial", "byTags", "byValue");
    data.assertValid();
    data.assertAnswersAgree(
        BY_VALUE.get("key", Document.class), BuildData.someOf("value", 7, 21.5));
    data.assertAnswersAgree(
        BY_TAGS.get("key", Document.class), BuildData.someOf("tags", "new", "b2"));
    data.assertAnswersAgree(BY_SERIAL.get("key", Document.class), Filters.lt("serial", 500));
    assertThat(logged("Index build: starting")).isPositive();
    assertThat(logged("Index build: done building")).isEqualTo(3);
  }

  private static long logged(String message) throws IOException {
    try (var lines = Files.lines(server.options().logFile())) {
      return lines.filter(line -> line.contains("\"" + message + "\"")).count();
    }
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  @Order(5)
  void droppingTheCollectionEndsABuild() throws Exception {
    Future<Integer> build = data.build(executor, BuildData.index("host", new Document("host", 1)));
    data.awaitProgress(build);
    data.collection().drop();
    assertThat(result(build)).isEqualTo(INDEX_BUILD_ABORTED);
    assertThat(data.database().listCollectionNames()).isEmpty();
  }
}
