package dev.wisent.conformance.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Deadline;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The server dies while indexes are built, at a random moment, round after round on the same data.
 *
 * <p>{@code -Dwisent.seed=N} for the moments of an earlier run, as far as they are the same.
 */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
class KilledIndexBuildTest {
  private static final int DOCUMENTS = Integer.getInteger("wisent.build.killed.documents", 60_000);
  private static final int ROUNDS = Integer.getInteger("wisent.build.killed.rounds", 5);
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());
  private static final int WRITERS = 2;
  private static final int LIFE_MILLIS_MAX = 1500;

  private static final Document BY_VALUE =
      BuildData.index("byValue", new Document("value", 1).append("host", -1));
  private static final Document BY_TAGS = BuildData.index("byTags", new Document("tags", 1));
  private static final Document BY_SERIAL =
      BuildData.index("bySerial", new Document("serial", 1)).append("unique", true);

  @Test
  void aBuildIsThereAsAWholeOrNotAtAll(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
      throws Exception {
    var random = new SplittableRandom(SEED);
    ProcessOptions options = ProcessOptions.in(directory);
    ServerProcess server = ServerProcess.start(options);
    int finished = 0;
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      try (MongoClient client = connect(server)) {
        new BuildData(client, DOCUMENTS).load();
      }
      for (int round = 0; round < ROUNDS; round++) {
        buildAndKill(server, executor, random.nextInt(LIFE_MILLIS_MAX));
        server = ServerProcess.start(options);
        finished += check(server, options) ? 1 : 0;
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d, data in %s: %s%n%s"
              .formatted(SEED, directory, e.getMessage(), server.logTail()),
          e);
    } finally {
      server.close();
    }
    System.out.printf(
        "killed index builds: %d rounds, %d had finished, seed %d%n", ROUNDS, finished, SEED);
  }

  private static void buildAndKill(ServerProcess server, ExecutorService executor, int lifeMillis)
      throws Exception {
    try (MongoClient client = connect(server)) {
      var data = new BuildData(client, DOCUMENTS);
      var stop = new AtomicBoolean();
      Future<?>[] writers = new Future<?>[WRITERS];
      for (int i = 0; i < WRITERS; i++) {
        writers[i] = executor.submit(new BuildWriter(data.collection(), i, DOCUMENTS, stop));
      }
      Future<Integer> build = data.build(executor, BY_VALUE, BY_TAGS, BY_SERIAL);
      try {
        data.awaitProgress(build);
        Deadline death = Deadline.after(Duration.ofMillis(lifeMillis));
        while (!death.expired()) {
          LockSupport.parkNanos(death.remainingNanos());
        }
      } finally {
        stop.set(true);
        server.kill();
      }
      for (Future<?> writer : writers) {
        writer.get(BuildData.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      try {
        build.get(BuildData.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(MongoException.class);
      }
    }
  }

  /** Whether the indexes were there; they are not any more. */
  private static boolean check(ServerProcess server, ProcessOptions options) throws IOException {
    assertNoTemporaryFiles(options);
    try (MongoClient client = connect(server)) {
      var data = new BuildData(client, DOCUMENTS);
      assertThat(data.indexNames())
          .isIn(Set.of("_id_"), Set.of("_id_", "byValue", "byTags", "bySerial"));
      boolean finished = data.indexNames().size() > 1;
      data.assertValid();
      data.collection().dropIndexes();
      // What a writer inserts in the next round has the same identifiers.
      data.collection().deleteMany(new Document("_id", new Document("$gte", DOCUMENTS)));
      return finished;
    }
  }

  private static void assertNoTemporaryFiles(ProcessOptions options) throws IOException {
    Path directory = options.dbpath().resolve("_tmp");
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).isEmpty();
      }
    }
  }

  private static MongoClient connect(ServerProcess server) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .retryWrites(false)
            .applyToSocketSettings(b -> b.readTimeout(90, TimeUnit.SECONDS))
            .applyToClusterSettings(b -> b.serverSelectionTimeout(10, TimeUnit.SECONDS))
            .build());
  }
}
