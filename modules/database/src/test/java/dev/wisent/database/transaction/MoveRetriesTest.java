package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.session.DocumentMoves;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements of retryable writes that run in transactions of a router, and their retries. */
class MoveRetriesTest {
  private static final SessionId SESSION = SessionId.of(7, 8);
  private static final UpdateRequest INCREMENT =
      TestDatabase.request(TestDatabase.statement("{_id: 1}", "{$inc: {n: 1}}", false, false));

  private TestDatabase database;
  private TestTransaction move;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.openWithOplog(directory);
    database.insert("{_id: 1, n: 0}", "{_id: 2, n: 0}");
    move = TestTransaction.in(database, SESSION.ofMoves());
  }

  @AfterEach
  void close() {
    database.database().transactions().abortAll(any -> true, ErrorCode.INTERRUPTED);
    database.assertNothingLeaks();
    database.close();
  }

  private static RetryableWrite write(long number) {
    return new RetryableWrite(SESSION, number, StatementIds.from(3));
  }

  private WriteOutcome inMove(long number) {
    OperationContext operation = database.operation();
    return move.run(
        operation,
        statement -> {
          OperationState.moves(statement, new DocumentMoves(write(number)));
          return database.database().update(statement, INCREMENT);
        });
  }

  private OperationContext retrying(long number) {
    OperationContext operation = database.operation();
    operation.retryableWrite(write(number));
    return operation;
  }

  private WriteOutcome retry(long number) {
    return database.database().update(retrying(number), INCREMENT);
  }

  private void assertCount(int expected) {
    assertThat(database.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": " + expected + "}");
  }

  @Test
  void isDoneWithTheCommit() {
    inMove(5);
    move.commit();
    assertThat(retry(5).retried()).containsExactly(3);
    assertCount(1);
    move = move.next();
    assertThat(inMove(5).retried()).containsExactly(3);
    move.abort();
    assertThat(retry(6).retried()).isEmpty();
    assertCount(2);
  }

  @Test
  void aRetryTakesThePlaceOfAMoveThatIsOpen() {
    inMove(5);
    assertThat(retry(5).retried()).isEmpty();
    assertCount(1);
    assertThat(error(move::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    move = move.next();
    assertThat(inMove(5).retried()).containsExactly(3);
    assertCount(1);
  }

  @Test
  void aNewerWriteOfTheSessionEndsAMove() {
    inMove(5);
    assertThat(retry(6).modified()).isEqualTo(1);
    assertThat(error(move::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    move = move.next();
    assertThat(error(() -> inMove(5)).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    move = move.next();
    inMove(7);
    TestTransaction newer = TestTransaction.in(database, SESSION, 8);
    newer.update("{_id: 2}", "{$inc: {n: 1}}");
    newer.commit();
    assertThat(error(move::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    assertCount(1);
  }

  @Test
  void aRetryWaitsForTheOutcomeOfAMoveThatIsPrepared() {
    inMove(5);
    long time = move.prepare();
    OperationContext operation = retrying(5);
    var done =
        CompletableFuture.supplyAsync(
            () -> database.database().update(operation, INCREMENT),
            command -> Thread.ofPlatform().daemon().start(command));
    Workers.await("a wait", () -> operation.isWaitingForLock() || done.isDone());
    assertThat(done).isNotDone();
    move.commitAt(time);
    assertThat(done.orTimeout(1, TimeUnit.MINUTES).join().retried()).containsExactly(3);
    assertCount(1);
  }

  private WriteOutcome registered(long number, long attempt) {
    OperationContext operation = retrying(number);
    operation.retryableWrite().attempt(attempt, true);
    var nothing = new DeleteStatement(RawDocument.parse("{$alwaysFalse: 1}"), false, null);
    return database
        .database()
        .delete(operation, new DeleteRequest(TestDatabase.NAMESPACE, List.of(nothing), true));
  }

  private WriteOutcome attempted(long number, long attempt) {
    OperationContext operation = retrying(number);
    operation.retryableWrite().attempt(attempt, false);
    return database.database().update(operation, INCREMENT);
  }

  private static ErrorCode failure(WriteOutcome outcome) {
    return outcome.failures().getFirst().error().code();
  }

  /** Rule H12. */
  @Test
  void onlyTheNewestAttemptIsExecuted() {
    assertThat(failure(attempted(5, 10))).isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    assertThat(registered(5, 10).retried()).isEmpty();
    assertThat(registered(5, 12).retried()).isEmpty();
    assertThat(error(() -> registered(5, 11)).code())
        .isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    assertThat(failure(attempted(5, 10))).isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    assertThat(attempted(5, 12).modified()).isEqualTo(1);
    assertThat(attempted(5, 10).retried()).containsExactly(3);
    assertThat(registered(5, 1).retried()).containsExactly(3);
    assertCount(1);
  }
}
