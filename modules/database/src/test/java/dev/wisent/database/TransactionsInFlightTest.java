package dev.wisent.database;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.database.transaction.TestTransaction;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions and writes that are submitted to a replicated log and not yet applied. */
class TransactionsInFlightTest {
  private static final long DEADLINE_SECONDS = 60;

  private SlowLog log;
  private TestDatabase database;

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
    database.insert("{_id: 1, n: 0}");
  }

  @AfterEach
  void close() {
    log.release();
    database.database().transactions().abortAll(any -> true, ErrorCode.INTERRUPTED);
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private static <T> CompletableFuture<T> start(Supplier<T> work) {
    return CompletableFuture.supplyAsync(
            work, command -> Thread.ofPlatform().daemon().start(command))
        .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** Rule H7: what is submitted counts as changed, though no reader sees it. */
  @Test
  void aWriteInFlightIsAConflict() {
    log.hold();
    CompletableFuture<WriteOutcome> plain =
        start(() -> database.update("{_id: 1}", "{$inc: {n: 1}}"));
    Workers.await("a write in flight", () -> log.submitted() == 1);
    var transaction = TestTransaction.of(database);
    assertThat(transaction.find("{}")).containsExactly("{\"_id\": 1, \"n\": 0}");
    assertThat(error(() -> transaction.update("{_id: 1}", "{$inc: {n: 1}}")).code())
        .isEqualTo(ErrorCode.WRITE_CONFLICT);
    log.release();
    assertThat(plain.join().modified()).isEqualTo(1);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 1}");
  }

  /** A later write starts from what a commit in flight has made of the document. */
  @Test
  void aCommitInFlightIsGoneOnFrom() {
    var transaction = TestTransaction.of(database);
    transaction.update("{_id: 1}", "{$inc: {n: 10}}");
    log.hold();
    CompletableFuture<Object> commit =
        start(
            () -> {
              transaction.commit();
              return null;
            });
    Workers.await("a commit in flight", () -> log.submitted() == 1);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 0}");
    CompletableFuture<WriteOutcome> plain =
        start(() -> database.update("{_id: 1}", "{$inc: {n: 1}}"));
    Workers.await("both in flight", () -> log.submitted() == 2);
    var other = TestTransaction.of(database);
    assertThat(error(() -> other.update("{_id: 1}", "{$inc: {n: 1}}")).code())
        .isEqualTo(ErrorCode.WRITE_CONFLICT);
    log.release();
    commit.join();
    assertThat(plain.join().modified()).isEqualTo(1);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 11}");
  }

  /** What becomes of a commit whose leader is lost is unknown; the next one knows. */
  @Test
  void aCommitThatWasLostIsNotKnownLater() {
    var transaction = TestTransaction.of(database);
    transaction.update("{_id: 1}", "{$inc: {n: 10}}");
    log.hold();
    CompletableFuture<Object> commit =
        start(
            () -> {
              transaction.commit();
              return null;
            });
    Workers.await("a commit in flight", () -> log.submitted() == 1);
    database.database().leadership().becomeFollower();
    log.lose();
    assertThat(commit.handle((done, error) -> error).join()).isNotNull();
    log.release();
    database.database().leadership().becomeLeader(2);
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1, \"n\": 0}");
  }
}
