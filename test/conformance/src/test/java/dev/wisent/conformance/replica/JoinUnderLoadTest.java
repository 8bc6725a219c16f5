package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A fourth, empty member gets everything while clients go on writing.
 *
 * <p>{@code -Dwisent.join.megabytes=2048} for a set that is worth a snapshot; the latencies of the
 * writers before and during the join are printed.
 */
@Execution(ExecutionMode.CONCURRENT)
class JoinUnderLoadTest {

  private static final int MEGABYTES = Integer.getInteger("wisent.join.megabytes", 24);
  private static final int WRITERS = 4;
  private static final int DOCUMENT_BYTES = 16 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(120 + MEGABYTES);

  @Test
  void anEmptyMemberCatchesUpUnderLoad(@TempDir Path directory) throws Exception {
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
        MongoClient client = MongoClients.create(set.uri())) {
      try {
        join(set, client);
      } catch (AssertionError | RuntimeException e) {
        set.describeInto(e);
        throw e;
      }
    }
  }

  private static void join(ReplicaSetProcesses set, MongoClient client) throws Exception {
    load(client);
    try (Writers writers = new Writers(client)) {
      Eventually.holds(
          "a load", PATIENCE, () -> writers.acknowledged().size() > 200 + 2 * MEGABYTES);
      long joinBegins = System.nanoTime();
      Member fourth = set.newMember();
      fourth.start();
      new Reconfiguration(set).add(fourth, new Document());
      Eventually.holds(
          "the fourth member is a secondary",
          PATIENCE,
          () -> fourth.hello().getBoolean("secondary", false));
      long joinEnds = System.nanoTime();
      writers.stop();

      client
          .getDatabase("join")
          .getCollection("writes")
          .withWriteConcern(new WriteConcern(4).withWTimeout(120, TimeUnit.SECONDS))
          .insertOne(new Document("_id", "last"));
      Set<String> missing = new HashSet<>(writers.acknowledged());
      fourth
          .direct()
          .getDatabase("join")
          .getCollection("writes")
          .find()
          .forEach(document -> missing.remove(document.getString("_id")));
      assertThat(missing).as("acknowledged writes that the new member lacks").isEmpty();
      assertThat(hash(fourth)).isEqualTo(hash(set.member(0))).isEqualTo(hash(set.member(1)));
      System.out.printf(
          "join of %d MB under load: %.1f s; p99 of the writers before %.1f ms, meanwhile %.1f"
              + " ms%n",
          MEGABYTES,
          (joinEnds - joinBegins) / 1e9,
          writers.p99Millis(Long.MIN_VALUE, joinBegins),
          writers.p99Millis(joinBegins, joinEnds));
    }
  }

  private static void load(MongoClient client) {
    MongoCollection<Document> collection =
        client.getDatabase("join").getCollection("data").withWriteConcern(WriteConcern.W1);
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    int documents = MEGABYTES * 1024 * 1024 / DOCUMENT_BYTES;
    List<Document> batch = new ArrayList<>();
    for (int i = 0; i < documents; i++) {
      byte[] bytes = new byte[DOCUMENT_BYTES];
      random.nextBytes(bytes);
      batch.add(new Document("_id", i).append("bytes", new Binary(bytes)));
      if (batch.size() == 100 || i == documents - 1) {
        collection.insertMany(batch);
        batch.clear();
      }
    }
  }

  private static String hash(Member member) {
    return member
        .direct()
        .getDatabase("join")
        .runCommand(new Document("dbHash", 1))
        .getString("md5");
  }

  /** Clients that insert one small document after the other. */
  private static final class Writers implements AutoCloseable {

    /** When a write was begun, and how long it took. */
    private record Latency(long begin, long nanos) {}

    private final List<String> acknowledged = new ArrayList<>();
    private final List<Latency> latencies = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(WRITERS);
    private volatile boolean stopping;

    Writers(MongoClient client) {
      MongoCollection<Document> collection =
          client
              .getDatabase("join")
              .getCollection("writes")
              .withWriteConcern(WriteConcern.MAJORITY);
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        running.add(executor.submit(() -> write(collection, writer)));
      }
    }

    private void write(MongoCollection<Document> collection, int writer) {
      for (int i = 0; !stopping; i++) {
        String id = writer + "-" + i;
        long begin = System.nanoTime();
        collection.insertOne(new Document("_id", id));
        Latency latency = new Latency(begin, System.nanoTime() - begin);
        synchronized (this) {
          acknowledged.add(id);
          latencies.add(latency);
        }
      }
    }

    synchronized List<String> acknowledged() {
      return List.copyOf(acknowledged);
    }

    /** No write may fail: the primary stays what it is. */
    void stop() throws Exception {
      stopping = true;
      for (Future<?> future : running) {
        future.get(60, TimeUnit.SECONDS);
      }
    }

    synchronized double p99Millis(long from, long to) {
      long[] nanos =
          latencies.stream()
              .filter(latency -> latency.begin() >= from && latency.begin() < to)
              .mapToLong(Latency::nanos)
              .toArray();
      Arrays.sort(nanos);
      return nanos.length == 0 ? Double.NaN : nanos[nanos.length * 99 / 100] / 1e6;
    }

    @Override
    public void close() {
      stopping = true;
      executor.shutdownNow();
    }
  }
}
