package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes outside of transactions wait for transactions, and hold up nothing meanwhile. */
class LatchWaitTest {
  private static final long DEADLINE_SECONDS = 60;

  private TestDatabase database;
  private TestTransaction holder;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.openWithOplog(directory);
    database.insert("{_id: 1, n: 0}", "{_id: 2, n: 0}", "{_id: 3, n: 0}");
    holder = TestTransaction.of(database);
    holder.update("{_id: 2}", "{$inc: {n: 10}}");
  }

  @AfterEach
  void close() {
    database.database().transactions().abortAll(any -> true, ErrorCode.INTERRUPTED);
    database.assertNothingLeaks();
    database.close();
  }

  /** An update that waits for the transaction. */
  private CompletableFuture<WriteOutcome> waiting(
      UpdateStatement update, OperationContext operation) {
    var done =
        CompletableFuture.supplyAsync(
            () -> database.database().update(operation, TestDatabase.request(update)),
            command -> Thread.ofPlatform().daemon().start(command));
    Workers.await("a wait", () -> operation.isWaitingForLock() || done.isDone());
    assertThat(done).isNotDone();
    return done;
  }

  private static UpdateStatement increment(String query, boolean multi) {
    return TestDatabase.statement(query, "{$inc: {n: 1}}", multi, false);
  }

  private static WriteOutcome outcome(CompletableFuture<WriteOutcome> done) {
    return done.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
  }

  @Test
  void aWriteWaitsForTheCommitAndGoesOnFromThere() {
    var done = waiting(increment("{_id: 2}", false), database.operation());
    holder.commit();
    assertThat(outcome(done).modified()).isEqualTo(1);
    assertThat(database.find("{_id: 2}")).containsExactly("{\"_id\": 2, \"n\": 11}");
  }

  @Test
  void aWriteOfManyGoesOnWhereItWas() {
    var done = waiting(increment("{}", true), database.operation());
    assertThat(database.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 1}");
    holder.abort();
    assertThat(outcome(done).modified()).isEqualTo(3);
    assertThat(database.find("{n: 1}")).hasSize(3);
  }

  @Test
  void whileAWriteWaitsTheGateCanBeLockedAndDefinitionsChange() {
    var done = waiting(increment("{_id: 2}", false), database.operation());
    var many = waiting(increment("{}", true), database.operation());
    var retryable = database.operation();
    retryable.retryableWrite(new RetryableWrite(SessionId.of(7, 7), 1, StatementIds.IN_ORDER));
    var repeatable = waiting(increment("{_id: 2}", false), retryable);
    WriteGate gate = database.database().writeGate();
    gate.lock(database.operation(), TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
    gate.unlock();
    database.createIndex("{n: 1}");
    holder.abort();
    assertThat(outcome(done).modified()).isEqualTo(1);
    assertThat(outcome(many).modified()).isEqualTo(3);
    assertThat(outcome(repeatable).modified()).isEqualTo(1);
    assertThat(database.find("{n: {$gt: 2}}")).containsExactly("{\"_id\": 2, \"n\": 3}");
    database.assertValid();
  }

  @Test
  void aWriteOfManyEndsWithItsCollection() {
    var done = waiting(increment("{}", true), database.operation());
    database.database().changes().drop(database.collection(), database.operation());
    holder.abort();
    assertThat(outcome(done).failures().getFirst().error().code())
        .isEqualTo(ErrorCode.QUERY_PLAN_KILLED);
  }

  @Test
  void aTransactionWhoseCollectionChangedDoesNotCommit() {
    database.createIndex("{n: 1}");
    assertThat(error(holder::commit).code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
    assertThat(database.find("{n: 10}")).isEmpty();
  }

  @Test
  void theEndOfLeadershipEndsTransactionsAndWaits() {
    var done = waiting(increment("{_id: 2}", false), database.operation());
    var retryable = database.operation();
    retryable.retryableWrite(new RetryableWrite(SessionId.of(7, 7), 1, StatementIds.IN_ORDER));
    var repeatable = waiting(increment("{_id: 2}", false), retryable);
    database.database().leadership().becomeFollower();
    assertThat(code(done))
        .isIn(ErrorCode.NOT_WRITABLE_PRIMARY, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    assertThat(code(repeatable))
        .isIn(ErrorCode.NOT_WRITABLE_PRIMARY, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    assertThat(error(holder::commit).code()).isEqualTo(ErrorCode.NOT_WRITABLE_PRIMARY);
    assertThat(database.database().transactions().figures().open()).isZero();
    database.database().leadership().becomeLeader(8);
    assertThat(error(holder::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    assertThat(database.find("{n: 0}")).hasSize(3);
  }

  private static ErrorCode code(CompletableFuture<WriteOutcome> done) {
    try {
      return outcome(done).failures().getFirst().error().code();
    } catch (CompletionException e) {
      return ((CommandException) e.getCause()).code();
    }
  }

  @Test
  void aWaitEndsWithTheTimeOfItsOperation() {
    var operation = database.operation();
    operation.limitMillis(50);
    assertThat(
            error(
                    () ->
                        database
                            .database()
                            .update(operation, TestDatabase.request(increment("{_id: 2}", false))))
                .code())
        .isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    holder.abort();
  }

  @Test
  void anInsertOfATakenKeyWaitsForTheTransaction() {
    holder.insert("{_id: 9}");
    var done =
        CompletableFuture.supplyAsync(
            () -> database.tryInsert(true, "{_id: 8}", "{_id: 9}", "{_id: 10}"),
            command -> Thread.ofPlatform().daemon().start(command));
    Workers.await("the first insert", () -> database.count("{_id: 8}") == 1);
    holder.commit();
    WriteOutcome outcome = outcome(done);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.DUPLICATE_KEY);
    assertThat(database.count("{_id: 10}")).isZero();
  }
}
