package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.LeadershipException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that go on from versions which a replicated log has not applied yet. */
class PendingWritesTest {
  private TestDatabase database;
  private SlowLog log;

  @BeforeEach
  void open(@TempDir Path directory) {
    database =
        TestDatabase.open(
            directory,
            below -> {
              log = new SlowLog(below);
              return log;
            });
    database.database().leadership().becomeLeader(1);
    database.create("{}");
    database.createIndex("{n: 1}");
    database.createIndex("{u: 1}", "unique");
    database.insert("{_id: 1, n: 0, u: 1}", "{_id: 2, n: 0, u: 2}", "{_id: 3, n: 0, u: 3}");
    log.hold();
  }

  @AfterEach
  void close() {
    log.release();
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private CompletableFuture<Void> start(Runnable write) {
    return CompletableFuture.runAsync(write, runnable -> Thread.ofPlatform().start(runnable));
  }

  private static Throwable failure(CompletableFuture<Void> write) throws Exception {
    try {
      write.get(30, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @Test
  void manyChangeOneDocumentBeforeTheFirstOfThemIsApplied() throws Exception {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writes.add(start(() -> database.update("{_id: 1}", "{$inc: {n: 1}}")));
    }
    Workers.await("all are submitted", () -> log.submitted() == 8);

    assertThat(database.count("{n: 0}")).as("readers see nothing of it").isEqualTo(3);
    log.release();
    for (CompletableFuture<Void> write : writes) {
      assertThat(failure(write)).isNull();
    }
    assertThat(database.count("{_id: 1, n: 8}")).isEqualTo(1);
    assertThat(database.count("{n: 8}")).isEqualTo(1);
  }

  @Test
  void whatRestsOnALostVersionIsNotAcknowledged() throws Exception {
    CompletableFuture<Void> first = start(() -> database.update("{_id: 1}", "{$set: {n: 5}}"));
    Workers.await("it is submitted", () -> log.submitted() == 1);
    CompletableFuture<Void> same = start(() -> database.update("{_id: 1}", "{$set: {n: 5}}"));
    CompletableFuture<Void> unmatched =
        start(() -> database.update("{n: 0, _id: 1}", "{$set: {n: 6}}"));
    Workers.await("both wait for it", () -> log.waiters() == 3);

    log.lose();

    assertThat(failure(first)).isInstanceOf(LeadershipException.class);
    assertThat(failure(same)).isInstanceOf(LeadershipException.class);
    assertThat(failure(unmatched)).isInstanceOf(LeadershipException.class);
    assertThat(database.count("{_id: 1, n: 0}")).isEqualTo(1);
  }

  @Test
  void whoComesAfterADeletionFindsNothing() throws Exception {
    CompletableFuture<Void> deletion = start(() -> database.delete("{_id: 1}", false));
    Workers.await("it is submitted", () -> log.submitted() == 1);
    CompletableFuture<Void> update =
        start(() -> assertThat(database.update("{_id: 1}", "{$inc: {n: 1}}").matched()).isZero());
    Workers.await("it waits", () -> log.waiters() == 2);

    log.release();

    assertThat(failure(deletion)).isNull();
    assertThat(failure(update)).isNull();
    assertThat(database.count("{}")).isEqualTo(2);
  }

  @Test
  void uniqueKeysStayLatched() throws Exception {
    CompletableFuture<Void> first = start(() -> database.update("{_id: 1}", "{$set: {u: 9}}"));
    Workers.await("it is submitted", () -> log.submitted() == 1);
    CompletableFuture<Void> second =
        start(
            () -> assertThat(database.update("{_id: 2}", "{$set: {u: 9}}").failures()).hasSize(1));

    log.release();

    assertThat(failure(first)).isNull();
    assertThat(failure(second)).isNull();
    assertThat(database.count("{u: 9}")).isEqualTo(1);
  }

  /** An update under an operation that others can end. */
  private CompletableFuture<Void> start(String query, String update, OperationContext operation) {
    return start(
        () ->
            database
                .database()
                .update(
                    operation,
                    TestDatabase.request(TestDatabase.statement(query, update, false, false))));
  }

  @Test
  void aWaitForALatchEndsWithItsOperation() throws Exception {
    CompletableFuture<Void> holder = start(() -> database.update("{_id: 1}", "{$set: {u: 9}}"));
    Workers.await("it is submitted", () -> log.submitted() == 1);
    var killed = new OperationContext(Clock.system(), RandomSource.system(), () -> false);
    CompletableFuture<Void> first = start("{_id: 2}", "{$set: {u: 9}}", killed);
    Workers.await("it waits", killed::isWaitingForLock);
    killed.kill(ErrorCode.INTERRUPTED);
    assertCode(first, ErrorCode.INTERRUPTED);

    var limited = new OperationContext(Clock.system(), RandomSource.system(), () -> false);
    limited.limitMillis(1);
    assertCode(start("{_id: 2}", "{$set: {u: 9}}", limited), ErrorCode.MAX_TIME_MS_EXPIRED);
    assertCode(
        start(
            "{_id: 2}",
            "{$set: {u: 9}}",
            new OperationContext(Clock.system(), RandomSource.system(), () -> true)),
        ErrorCode.CLIENT_DISCONNECT);

    log.release();
    assertThat(failure(holder)).isNull();
    assertThat(database.count("{_id: 2, u: 2}")).isEqualTo(1);
  }

  @Test
  void aWaitForAVersionOfAnotherEndsWithItsOperation() throws Exception {
    CompletableFuture<Void> other = start(() -> database.update("{_id: 1}", "{$set: {n: 5}}"));
    Workers.await("it is submitted", () -> log.submitted() == 1);
    var killed = new OperationContext(Clock.system(), RandomSource.system(), () -> false);
    CompletableFuture<Void> same = start("{_id: 1}", "{$set: {n: 5}}", killed);
    Workers.await("it waits", killed::isWaitingForLock);
    killed.kill(ErrorCode.INTERRUPTED);
    assertCode(same, ErrorCode.INTERRUPTED);
    log.release();
    assertThat(failure(other)).isNull();
  }

  /**
   * Its latches must stay as long as the outcome is open, but its client need not wait for that.
   */
  @Test
  void whoWaitsForItsOwnWriteIsAnsweredAndGoesOn() throws Exception {
    var reasons = new LinkedBlockingQueue<CommandException>();
    var limited = new OperationContext(Clock.system(), RandomSource.system(), () -> false);
    limited.earlyAnswer(reasons::add);
    CompletableFuture<Void> own = start("{_id: 1}", "{$set: {u: 9}}", limited);
    Workers.await("it is submitted", () -> log.submitted() == 1);
    limited.kill(ErrorCode.INTERRUPTED);
    assertThat(reasons.poll(30, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(own).isNotDone();
    CompletableFuture<Void> next =
        start(
            () -> assertThat(database.update("{_id: 2}", "{$set: {u: 9}}").failures()).hasSize(1));
    log.release();
    assertThat(failure(own)).isNull();
    assertThat(failure(next)).isNull();
    assertThat(reasons).isEmpty();
    assertThat(database.count("{_id: 1, u: 9}")).isEqualTo(1);
  }

  private static void assertCode(CompletableFuture<Void> write, ErrorCode code) throws Exception {
    assertThat(failure(write))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** Each acknowledged increment counts once, whatever is applied when, with readers beside. */
  @Test
  void noIncrementIsLost() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    int threads = 6;
    int rounds = 60;
    var expected = new AtomicIntegerArray(4);
    var done = new AtomicBoolean();
    Thread applier =
        Thread.ofPlatform()
            .start(
                () -> {
                  var random = new SplittableRandom(seed);
                  while (!done.get()) {
                    log.apply(1 + random.nextInt(4));
                    Thread.yield();
                  }
                });
    try {
      Workers.run(
          threads,
          thread -> {
            var random = new SplittableRandom(seed + 1 + thread);
            for (int round = 0; round < rounds; round++) {
              int id = 1 + random.nextInt(3);
              int by = 1 + random.nextInt(3);
              database.update("{_id: %d}".formatted(id), "{$inc: {n: %d}}".formatted(by));
              expected.addAndGet(id, by);
              assertThat(database.count("{}")).isEqualTo(3);
            }
          });
    } finally {
      done.set(true);
      log.release();
    }
    try {
      applier.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    for (int id = 1; id <= 3; id++) {
      assertThat(database.count("{_id: %d, n: %d}".formatted(id, expected.get(id))))
          .as("seed %d, document %d", seed, id)
          .isEqualTo(1);
    }
  }
}
