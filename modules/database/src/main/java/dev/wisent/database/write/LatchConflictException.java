package dev.wisent.database.write;

import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;

/**
 * Another write holds what this one needs. The unit commits or drops what it has; {@link
 * WriteAccess#inCollection} leaves the collection and the gate, waits, and tries again.
 */
class LatchConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LatchTable.Conflict conflict;

  LatchConflictException(LatchTable.Conflict conflict) {
    super(null, null, false, false);
    this.conflict = conflict;
  }

  boolean isWith(LatchTable.Holder asking) {
    return conflict.isWith(asking);
  }

  /**
   * Waits for the other write. Nothing waits for a latch inside the gate or a collection's lock:
   * what would free it may be behind those who wait for them.
   */
  void await(OperationContext operation, WriteGate gate) {
    gate.outside(operation, () -> conflict.await(operation));
    operation.checkNow();
  }
}
