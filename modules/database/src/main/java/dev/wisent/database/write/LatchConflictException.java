package dev.wisent.database.write;

import dev.wisent.database.collection.LatchTable;
import dev.wisent.operation.OperationContext;

/**
 * Another write holds what this one needs. The unit commits or drops what it has, waits for the
 * other, and tries again.
 */
final class LatchConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient LatchTable.Conflict conflict;

  LatchConflictException(LatchTable.Conflict conflict) {
    super(null, null, false, false);
    this.conflict = conflict;
  }

  void await(OperationContext operation) {
    conflict.await(operation);
  }
}
