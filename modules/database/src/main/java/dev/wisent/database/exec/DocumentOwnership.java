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

  /**
   * Whether all documents count, from before this call until after it.
   *
   * @throws dev.wisent.base.CommandException if a router knew another version
   */
  boolean isWhole(Namespace namespace, OperationContext operation);
}
