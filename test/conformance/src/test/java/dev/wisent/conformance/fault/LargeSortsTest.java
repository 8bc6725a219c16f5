package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many clients at a time sort by keys of a megabyte, and keep their cursors open, on a server with
 * a small heap that ends at the first OutOfMemoryError.
 */
@Tag("faults")
class LargeSortsTest {
  private static final int CLIENTS = 48;
  private static final int DOCUMENTS = 20;
  private static final int KEY_BYTES = 1_000_000;
  private static final int DEADLINE_MINUTES = 8;

  @Test
  void allGetTheirResultsInOrder(@TempDir Path directory) throws Exception {
    var options =
        ProcessOptions.in(directory)
            .withJvmFlags("-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
    try (ServerProcess server = ServerProcess.start(options);
        MongoClient client = MongoClients.create(server.uri() + "?maxPoolSize=200");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      MongoCollection<Document> large = client.getDatabase("test").getCollection("large");
      for (int i = 0; i < DOCUMENTS; i++) {
        String key = (char) ('a' + (7 * i) % DOCUMENTS) + "x".repeat(KEY_BYTES);
        large.insertOne(new Document("_id", (7 * i) % DOCUMENTS).append("k", key));
      }
      var open = new CountDownLatch(CLIENTS);
      var clients = new ArrayList<CompletableFuture<List<Integer>>>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(CompletableFuture.supplyAsync(() -> read(large, open), threads));
      }
      for (CompletableFuture<List<Integer>> each : clients) {
        assertThat(each.get(DEADLINE_MINUTES, TimeUnit.MINUTES)).hasSize(DOCUMENTS).isSorted();
      }
      assertThat(server.alive()).isTrue();
    }
  }

  /** The rest is read when all clients have the beginning. */
  private static List<Integer> read(MongoCollection<Document> large, CountDownLatch open) {
    var ids = new ArrayList<Integer>();
    try (MongoCursor<Document> sorted =
        large.find().sort(new Document("k", 1)).batchSize(2).cursor()) {
      while (sorted.hasNext()) {
        ids.add(sorted.next().getInteger("_id"));
        if (ids.size() == 1) {
          open.countDown();
          open.await();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }
}
