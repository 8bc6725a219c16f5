package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;

/**
 * One write and one read after the other, in a thread of their own. None of them may fail: what a
 * restart of a member does to them is hidden by the driver. Closing it checks that.
 */
final class SteadyClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final WriteConcern ALL =
      new WriteConcern(3).withWTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);

  private final MongoCollection<Document> collection;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "steady-client");
  private volatile boolean stopped;

  SteadyClient(MongoClient client) {
    this.collection =
        client
            .getDatabase("test")
            .getCollection("steady" + UUID.randomUUID())
            .withWriteConcern(WriteConcern.MAJORITY);
    thread.start();
  }

  private void run() {
    try {
      while (!stopped) {
        int id = done.get();
        collection.insertOne(new Document("_id", id));
        if (collection.find(new Document("_id", id)).first() == null) {
          throw new IllegalStateException("not there: " + id);
        }
        done.incrementAndGet();
      }
    } catch (RuntimeException e) {
      failure.set(e);
    }
  }

  /** Restarts the members one by one, while it works. */
  void restartEach(ReplicaSetProcesses set) {
    for (Member member : set.members()) {
      assertThat(member.terminate()).isZero();
      member.start();
      set.awaitAllReadable();
      // Also the one that was restarted gets the log, from members with other settings.
      collection.withWriteConcern(ALL).insertOne(new Document("restarted", member.id()));
      awaitMore();
    }
  }

  private void awaitMore() {
    int enough = done.get() + 2;
    Eventually.holds(
        "two more writes", PATIENCE, () -> done.get() >= enough || failure.get() != null);
    assertThat(failure.get()).isNull();
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
    assertThat(failure.get()).isNull();
    assertThat(collection.countDocuments(new Document("restarted", null))).isEqualTo(done.get());
  }
}
