package dev.wisent.database.write;

import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.OperationContext;

/**
 * A document that this node does not own holds a unique key that an owned one needs (rule H13).
 * Instead of a wait the orphan is deleted, which may happen to it at any time: no router reads it,
 * and cursors that do have a state of their own. A transaction does not see that, and is tried
 * again by its client.
 */
final class OrphanConflictException extends LatchConflictException {
  private static final long serialVersionUID = 1L;

  private final transient OrphanDeleter deleter;
  private final transient OrphanDeleter.Candidates orphan;
  private final DuplicateKeyException duplicate;

  /**
   * @param duplicate what it is for a write that cannot wait for the deletion
   */
  OrphanConflictException(
      OrphanDeleter deleter, OrphanDeleter.Candidates orphan, DuplicateKeyException duplicate) {
    super(null);
    this.deleter = deleter;
    this.orphan = orphan;
    this.duplicate = duplicate;
  }

  DuplicateKeyException duplicate() {
    return duplicate;
  }

  @Override
  boolean isWith(LatchTable.Holder asking) {
    return false;
  }

  @Override
  void await(OperationContext operation, WriteGate gate) {
    OperationContext deletion = OperationContext.internal(operation.clock());
    deletion.stopCheck(operation::checkNow);
    OperationState.ofMigration(deletion);
    // What the write has been let in for, the deletion is, too.
    OperationState.routed(deletion, OperationState.routed(operation));
    gate.outside(operation, () -> deleter.delete(orphan, deletion));
    operation.checkNow();
    if (TransactionWrites.of(operation) != null) {
      throw Conflicts.writeConflict();
    }
  }
}
