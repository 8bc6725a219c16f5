package dev.wisent.conformance.replica;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * Clients that insert and update one small document of {@code writes} after the other. What failed,
 * because the primary was paused, say, does not count as acknowledged.
 */
final class SteadyWriters implements AutoCloseable {
  private static final int THREADS = 2;

  private final List<String> acknowledged = new ArrayList<>(); // guarded by this
  private final List<Future<?>> running = new ArrayList<>();
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private volatile boolean stopping;

  SteadyWriters(MongoClient client, String database, WriteConcern concern) {
    MongoCollection<Document> collection =
        client.getDatabase(database).getCollection("writes").withWriteConcern(concern);
    collection.createIndex(new Document("n", 1));
    for (int i = 0; i < THREADS; i++) {
      int writer = i;
      running.add(executor.submit(() -> write(collection, writer)));
    }
  }

  private void write(MongoCollection<Document> collection, int writer) {
    for (int i = 0; !stopping; i++) {
      String id = writer + "-" + i;
      try {
        collection.insertOne(new Document("_id", id).append("n", i));
        synchronized (this) {
          acknowledged.add(id);
        }
        collection.updateOne(
            new Document("_id", writer + "-" + i / 2),
            new Document("$inc", new Document("n", 1000)));
      } catch (MongoException e) {
        // The next one may succeed.
      }
    }
  }

  synchronized List<String> acknowledged() {
    return List.copyOf(acknowledged);
  }

  void awaitMore(int count) {
    int before = acknowledged().size();
    Eventually.holds(
        "more is written",
        ReplicaSetProcesses.PATIENCE,
        () -> acknowledged().size() >= before + count);
  }

  void stop() throws Exception {
    stopping = true;
    for (Future<?> future : running) {
      future.get(60, TimeUnit.SECONDS);
    }
  }

  /** Those of some writes that a server does not have. */
  static Set<String> missing(List<String> writes, MongoClient server, String database) {
    Set<String> missing = new HashSet<>(writes);
    server
        .getDatabase(database)
        .getCollection("writes")
        .find()
        .forEach(document -> missing.remove(document.getString("_id")));
    return missing;
  }

  @Override
  public void close() {
    stopping = true;
    executor.shutdownNow();
  }
}
