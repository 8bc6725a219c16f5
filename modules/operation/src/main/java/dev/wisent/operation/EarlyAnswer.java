package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.function.Consumer;

/** Answers the client of an operation that must stop during a wait that it cannot give up. */
final class EarlyAnswer {
  /** Null once the client has its answer. */
  private Consumer<CommandException> answer;

  EarlyAnswer(Consumer<CommandException> answer) {
    this.answer = answer;
  }

  /** Returns at the end of the wait, or when the client has its answer. */
  void during(InterruptibleWait wait, OperationContext operation) {
    try {
      while (answer != null && !wait.await(OperationContext.LOOK_NANOS)) {
        CommandException reason = operation.stopReason();
        if (reason != null && reason.code() != ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE) {
          Consumer<CommandException> telling = answer;
          answer = null;
          telling.accept(reason);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
