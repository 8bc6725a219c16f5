package dev.wisent.database;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.storage.CommitFuture;
import java.util.function.Consumer;

/**
 * Answers the client of an operation that must stop while it waits for its own mutation. The
 * operation holds latches and cannot give up the wait.
 */
final class EarlyAnswer {
  /** Null once the client has its answer. */
  private Consumer<CommandException> answer;

  EarlyAnswer(Consumer<CommandException> answer) {
    this.answer = answer;
  }

  /** Returns when the mutation is applied, or when the client has its answer. */
  void whileWaiting(CommitFuture commit, OperationContext operation) {
    try {
      while (answer != null && !commit.awaitApplied(OperationContext.LOOK_NANOS)) {
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
