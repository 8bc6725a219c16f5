package dev.wisent.database.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.transaction.Transaction.State;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import org.junit.jupiter.api.Test;

class TransactionStateTest {
  private final Transaction transaction =
      new Transaction(new TransactionId(SessionId.of(1, 2), 3), null, null, 1, 60, Clock.system());
  private final OperationContext operation = OperationContext.internal(Clock.system());

  /** The thread that ends an idle transaction does so outside of its lock. */
  @Test
  void noStatementBeginsAfterTheEndIsAskedFor() {
    assertThat(transaction.requestAbort(ErrorCode.INTERRUPTED)).isTrue();
    assertThat(transaction.begin(operation)).isFalse();
    assertThat(transaction.end(State.ABORTED, null)).isNotNull();
    assertThat(transaction.begin(operation)).isFalse();
  }

  @Test
  void aCommitThatHasBegunGoesOn() {
    assertThat(transaction.beginCommit(operation)).isTrue();
    assertThat(transaction.requestAbort(ErrorCode.INTERRUPTED)).isFalse();
    assertThat(operation.isKilled()).isFalse();
    assertThat(transaction.end(State.COMMITTED, null).committed()).isTrue();
    assertThat(transaction.beginCommit(operation)).isFalse();
  }

  @Test
  void aStatementThatRunsIsEndedFirst() {
    assertThat(transaction.begin(operation)).isTrue();
    assertThat(transaction.requestAbort(ErrorCode.INTERRUPTED)).isFalse();
    assertThat(operation.isKilled()).isTrue();
    assertThat(transaction.endStatement(false)).isTrue();
    assertThat(transaction.end(State.ABORTED, null).abortedBy()).isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(transaction.end(State.ABORTED, null)).isNull();
  }
}
