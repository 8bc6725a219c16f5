package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * The operation that a query runs under. A query outlives the operation that began it: its cursor
 * moves on to the operation that asks for more. The query's thread moves it; the thread that
 * watches over scripts reads it too.
 */
public final class QueryOperation {
  private final WorkMeter meter = new WorkMeter(this::check);
  private volatile OperationContext operation;

  QueryOperation(OperationContext operation) {
    this.operation = operation;
  }

  /** From now on another operation says when to stop. */
  public void moveTo(OperationContext other) {
    operation = other;
  }

  /** Counts the query's work, and ends it where the operation must stop. */
  public WorkMeter meter() {
    return meter;
  }

  /** Why the query must stop; null where it need not. */
  public CommandException stopReason() {
    return operation.stopReason();
  }

  private void check() {
    operation.checkNow();
  }
}
