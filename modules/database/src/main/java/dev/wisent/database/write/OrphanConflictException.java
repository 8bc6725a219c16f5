package dev.wisent.database.write;

import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.OperationContext;
import java.util.function.Consumer;

/**
 * A document that this node does not own holds a unique key that an owned one needs (rule H13).
 * Instead of a wait the orphan is deleted, which may happen to it at any time: no router reads it,
 * and cursors that do have a state of their own. One that has come with a migration is an orphan
 * after the migration was ended. A transaction does not see that, and is tried again by its client.
 */
final class OrphanConflictException extends LatchConflictException {
  private static final long serialVersionUID = 1L;

  private final transient Consumer<OperationContext> removal;
  private final DuplicateKeyException duplicate;

  /**
   * @param removal deletes the document, or ends the migration that has brought it
   * @param duplicate what it is for a write that cannot wait for the deletion
   */
  OrphanConflictException(Consumer<OperationContext> removal, DuplicateKeyException duplicate) {
    super(null);
    this.removal = removal;
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
    gate.outside(operation, () -> removal.accept(deletion));
    operation.checkNow();
    if (TransactionWrites.of(operation) != null) {
      throw Conflicts.writeConflict();
    }
  }
}
