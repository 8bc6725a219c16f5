package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The primary steps down while clients write with {@code retryWrites}: no error reaches the
 * application, and each write is there once.
 */
@ExtendWith(SharedReplicaSet.Extension.class)
class StepDownTest {
  private static final int WRITERS = 8;
  private static final int STEP_DOWN_SECONDS = 11;
  private static final String DRIVER_VERSION = "7.8.0";

  @Test
  void fewStepDowns(ReplicaSetProcesses set) throws Exception {
    stepDownUnderLoad(set, 3);
  }

  @Test
  void openTransactionsEndAndCommittedOnesStay(ReplicaSetProcesses set) {
    try (MongoClient client = MongoClients.create(set.uri());
        ClientSession committed = client.startSession();
        ClientSession open = client.startSession()) {
      var entries = client.getDatabase("step_downs").getCollection("transactions");
      entries.drop();
      committed.startTransaction();
      entries.insertOne(committed, new Document("_id", "committed"));
      committed.commitTransaction();
      open.startTransaction();
      entries.insertOne(open, new Document("_id", "open"));
      stepDown(set);
      assertThatThrownBy(() -> entries.insertOne(open, new Document("_id", "more")))
          .isInstanceOfSatisfying(
              MongoException.class,
              e -> assertThat(e.hasErrorLabel("TransientTransactionError")).isTrue());
      open.abortTransaction();
      // It is sent again, to the new primary.
      committed.commitTransaction();
      open.withTransaction(() -> entries.insertOne(open, new Document("_id", "open")));
      assertThat(entries.countDocuments()).isEqualTo(2);
    }
  }

  @Test
  @Tag("faults")
  void manyStepDowns(ReplicaSetProcesses set) throws Exception {
    stepDownUnderLoad(set, 200);
  }

  @Test
  @Tag("faults")
  void manyStepDownsUnderTheNodeDriver(ReplicaSetProcesses set) throws URISyntaxException {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);
    Path script = Path.of(StepDownTest.class.getResource("/node/step-downs.js").toURI());

    ScriptResult result =
        packages.script(modules, script, set.uri(), "200").run(Duration.ofMinutes(30));

    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).contains("1 checks passed, 0 failed");
    set.awaitPrimary();
  }

  private static void stepDownUnderLoad(ReplicaSetProcesses set, int count) throws Exception {
    try (MongoClient client = MongoClients.create(set.uri())) {
      var load = new Load(client.getDatabase("step_downs"));
      List<Thread> writers = load.start();
      try {
        for (int i = 0; i < count; i++) {
          load.awaitMore();
          stepDown(set);
        }
        load.awaitMore();
      } finally {
        load.stop.set(true);
        for (Thread writer : writers) {
          writer.join();
        }
      }
      load.check();
    }
  }

  private static void stepDown(ReplicaSetProcesses set) {
    Eventually.holds(
        "a primary steps down",
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Member primary = set.awaitPrimary();
          try {
            primary.admin(
                new Document("replSetStepDown", STEP_DOWN_SECONDS)
                    .append("secondaryCatchUpPeriodSecs", STEP_DOWN_SECONDS - 1));
          } catch (MongoCommandException e) {
            // No secondary has caught up, or another member leads by now.
            return false;
          }
          // It may lead again after the next step-down.
          primary.admin(new Document("replSetFreeze", 0));
          return true;
        });
  }

  /** Writers that increment, and insert what they have incremented to. */
  private static final class Load {
    private final MongoCollection<Document> counters;
    private final MongoCollection<Document> entries;
    private final AtomicIntegerArray done = new AtomicIntegerArray(WRITERS);
    private final Queue<Exception> errors = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stop = new AtomicBoolean();

    Load(MongoDatabase database) {
      database.drop();
      this.counters = database.getCollection("counters");
      this.entries = database.getCollection("entries");
    }

    List<Thread> start() {
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        counters.insertOne(new Document("_id", writer).append("n", 0));
        writers.add(Thread.ofPlatform().start(() -> write(writer)));
      }
      return writers;
    }

    private void write(int writer) {
      try {
        while (!stop.get()) {
          counters.updateOne(new Document("_id", writer), Updates.inc("n", 1));
          entries.insertOne(new Document("_id", writer + "-" + done.get(writer)));
          done.incrementAndGet(writer);
        }
      } catch (RuntimeException e) {
        errors.add(e);
        stop.set(true);
      }
    }

    /**
     * Waits until each writer has done two rounds, the second of which began after this call: the
     * write that met the last step-down has ended. Or until one has failed.
     */
    void awaitMore() {
      int[] before = new int[WRITERS];
      for (int i = 0; i < WRITERS; i++) {
        before[i] = done.get(i);
      }
      Eventually.holds(
          "all writers go on", ReplicaSetProcesses.PATIENCE, () -> stop.get() || haveMore(before));
    }

    private boolean haveMore(int[] before) {
      for (int i = 0; i < WRITERS; i++) {
        if (done.get(i) < before[i] + 2) {
          return false;
        }
      }
      return true;
    }

    void check() {
      assertThat(errors).isEmpty();
      int all = 0;
      for (int i = 0; i < WRITERS; i++) {
        assertThat(counters.find(new Document("_id", i)).first()).containsEntry("n", done.get(i));
        all += done.get(i);
      }
      assertThat(entries.countDocuments()).isEqualTo(all);
    }
  }
}
