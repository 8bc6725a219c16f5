package dev.wisent.database.exec;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.FixedView;

/** Says which documents of a collection count for an operation: those that this shard owns. */
public interface DocumentOwnership {
  /**
   * The shard keys that are owned in a state of the store; null where all documents count.
   *
   * @throws dev.wisent.base.CommandException if a router knew another version than that of the
   *     state
   */
  OwnedRanges at(FixedView view, Namespace namespace, OperationContext operation);

  /** Whether the same shard keys are owned in another state. */
  boolean isStillOwned(OwnedRanges owned, FixedView view);

  /**
   * Says in which states a cursor goes on after its first batch; null where that is the newest at
   * any time, or the one that the operation reads. To be called before it lets go of its state.
   *
   * @param view that state
   */
  CursorState cursorState(Namespace namespace, FixedView view, OperationContext operation);

  /**
   * Fails where a collection that is not here, or was not in the state that is read, may be on
   * another shard.
   */
  void checkMissing(Namespace namespace, OperationContext operation);

  /**
   * Whether all documents count, from before this call until after it.
   *
   * @throws dev.wisent.base.CommandException if a router knew another version
   */
  boolean isWhole(Namespace namespace, OperationContext operation);
}
