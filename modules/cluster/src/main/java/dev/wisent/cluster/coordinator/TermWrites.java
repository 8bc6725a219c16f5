package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;

/**
 * Writes that belong to one term of this member. A run that does not know whether its last write
 * has come about may be led again by the same member: what it has in mind then is older than what
 * is stored, and other members may have acted on that.
 */
public final class TermWrites {
  private final WriteGate gate;

  public TermWrites(WriteGate gate) {
    this.gate = gate;
  }

  /** The number of the term. */
  public long term() {
    return gate.closings();
  }

  /**
   * Runs a write in a term, or fails.
   *
   * @param ends whether it decides how something prepared ends: a lock that waits for that does not
   *     keep it out
   */
  public void run(OperationContext operation, long term, boolean ends, Runnable write) {
    if (ends) {
      gate.enterToEnd(operation);
    } else {
      gate.enter(operation);
    }
    try {
      if (gate.closings() != term) {
        throw new CommandException(
            ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
            "the coordinator goes on with the next primary");
      }
      write.run();
    } finally {
      gate.leave();
    }
  }
}
