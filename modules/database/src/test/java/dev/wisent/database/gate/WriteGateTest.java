package dev.wisent.database.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteGateTest {
  private TestDatabase database;
  private static final long LOCK_TIMEOUT_MILLIS = 60_000;

  private WriteGate gate;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.insert("{_id: 0}");
    gate = database.database().writeGate();
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private int lock() {
    return gate.lock(database.operation(), LOCK_TIMEOUT_MILLIS);
  }

  /** Something that waits at the gate, in a thread of its own. */
  private static final class Waiting {
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Thread thread;

    Waiting(Runnable task) {
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      task.run();
                      done.complete(null);
                    } catch (Throwable e) {
                      done.completeExceptionally(e);
                    }
                  });
      Workers.await("the task to wait", () -> Workers.isWaiting(thread) || done.isDone());
    }

    void assertEnds() throws Exception {
      done.get(30, TimeUnit.SECONDS);
    }

    void assertEndsWith(ErrorCode code) throws InterruptedException, TimeoutException {
      try {
        done.get(30, TimeUnit.SECONDS);
        throw new AssertionError("did not fail");
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOfSatisfying(
                CommandException.class, failure -> assertThat(failure.code()).isEqualTo(code));
      }
    }
  }

  private void insert(OperationContext operation, int id) {
    var document = RawDocument.parse("{_id: %d}".formatted(id));
    database
        .database()
        .insert(
            operation, new InsertRequest(TestDatabase.NAMESPACE, List.of(document), true, false));
  }

  @Test
  void aLockKeepsWritesOutAndReadsIn() throws Exception {
    assertThat(lock()).isEqualTo(1);
    var waiting = new Waiting(() -> insert(database.operation(), 1));
    assertThat(database.find("{}")).hasSize(1);
    assertThat(waiting.done).isNotDone();
    assertThat(gate.unlock()).isZero();
    waiting.assertEnds();
    assertThat(database.find("{}")).hasSize(2);
  }

  @Test
  void changesOfTheCatalogWaitToo() throws Exception {
    lock();
    var waiting =
        List.of(
            new Waiting(() -> database.createIndex("{a: 1}")),
            new Waiting(
                () ->
                    database
                        .database()
                        .changes()
                        .exclusively(database.operation(), () -> "whatever a command does")));
    waiting.forEach(each -> assertThat(each.done).isNotDone());
    assertThat(database.collection().indexes()).hasSize(1);
    gate.unlock();
    for (Waiting each : waiting) {
      each.assertEnds();
    }
  }

  @Test
  void locksAreCounted() throws Exception {
    assertThat(gate.unlock()).isEqualTo(-1);
    assertThat(lock()).isEqualTo(1);
    assertThat(lock()).isEqualTo(2);
    var waiting = new Waiting(() -> insert(database.operation(), 1));
    assertThat(gate.unlock()).isEqualTo(1);
    assertThat(waiting.done).isNotDone();
    assertThat(gate.lockCount()).isEqualTo(1);
    assertThat(gate.unlock()).isZero();
    waiting.assertEnds();
  }

  @Test
  void aWaiterLeavesWhenItIsKilled() throws Exception {
    lock();
    OperationContext operation = database.operation();
    var waiting = new Waiting(() -> insert(operation, 1));
    operation.kill(ErrorCode.INTERRUPTED);
    waiting.assertEndsWith(ErrorCode.INTERRUPTED);
    gate.unlock();
    assertThat(database.count("{}")).isEqualTo(1);
  }

  @Test
  void aWaiterLeavesWhenItsTimeIsOver() throws Exception {
    lock();
    OperationContext operation = database.operation();
    operation.limitMillis(10);
    new Waiting(() -> insert(operation, 1)).assertEndsWith(ErrorCode.MAX_TIME_MS_EXPIRED);
    gate.unlock();
  }

  @Test
  void aWaiterLeavesWhenItsThreadIsInterrupted() throws Exception {
    lock();
    var waiting = new Waiting(() -> insert(database.operation(), 1));
    waiting.thread.interrupt();
    waiting.assertEndsWith(ErrorCode.INTERRUPTED);
    gate.unlock();
  }

  @Test
  void lockingGivesUpWhenThoseInsideStay() throws Exception {
    gate.enter(database.operation());
    var hasty = new Waiting(() -> gate.lock(database.operation(), 10));
    hasty.assertEndsWith(ErrorCode.LOCK_TIMEOUT);
    OperationContext killed = database.operation();
    var patient = new Waiting(() -> gate.lock(killed, LOCK_TIMEOUT_MILLIS));
    killed.kill(ErrorCode.INTERRUPTED);
    patient.assertEndsWith(ErrorCode.INTERRUPTED);
    gate.leave();
    assertThat(gate.lockCount()).isZero();
    insert(database.operation(), 1);
  }

  @Test
  void lockingWaitsForThoseInside() throws Exception {
    gate.enter(database.operation());
    var locked = new AtomicBoolean();
    var locking =
        new Waiting(
            () -> {
              lock();
              locked.set(true);
            });
    assertThat(locked).isFalse();
    // A writer that is inside goes on, also through the gate again.
    insert(database.operation(), 1);
    gate.leave();
    locking.assertEnds();
    assertThat(locked).isTrue();
    assertThat(database.count("{}")).isEqualTo(2);
    gate.unlock();
  }

  @Test
  void nothingIsWrittenBetweenLockAndUnlock() {
    var stop = new AtomicBoolean();
    Workers.run(
        4,
        thread -> {
          if (thread > 0) {
            for (int i = 1; !stop.get(); i++) {
              insert(database.operation(), thread * 1_000_000 + i);
            }
            return;
          }
          try {
            for (int i = 0; i < 50; i++) {
              lock();
              long sequence = database.engine().properties().get("sequence");
              database.engine().flush();
              assertThat(database.engine().properties().get("sequence")).isEqualTo(sequence);
              gate.unlock();
            }
          } finally {
            stop.set(true);
            while (gate.unlock() >= 0) {
              // Let the others end also if this one fails.
            }
          }
        });
  }
}
