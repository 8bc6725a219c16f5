package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The wait for what the coordinating thread has to do. */
class CoordinationTest {
  private final CompletableFuture<Void> running = new CompletableFuture<>();

  @Test
  void theOperationEndsTheWaitButNotTheWork() {
    OperationContext operation = TestMember.operation();
    operation.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(() -> Coordination.await(running, operation))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
    assertThat(running.isCancelled()).isFalse();
  }

  @Test
  void theErrorOfTheWorkIsThatOfTheWait() {
    var failure = new CommandException(ErrorCode.OPERATION_FAILED, "already out");
    running.completeExceptionally(failure);
    assertThatThrownBy(() -> Coordination.await(running, TestMember.operation())).isSameAs(failure);
  }
}
