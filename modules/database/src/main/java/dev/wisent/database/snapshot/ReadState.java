package dev.wisent.database.snapshot;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.StorageEngine;

/**
 * A state of the store that an operation reads instead of the newest, closed with the operation or
 * with the cursor that goes on in it.
 *
 * @param timestamp the cluster time that it is of, as the 64 bits of a BSON timestamp
 */
public record ReadState(FixedView view, long timestamp) implements ReadPoint {
  /** The newest state, for a read of much that is read once: caches stay as they are. */
  public static ReadState ofCopy(StorageEngine storage) {
    return new ReadState(storage.uncachedSnapshot(), 0);
  }

  @Override
  public ReadState share() {
    return new ReadState(view.share(), timestamp);
  }

  /** The state that an operation is to read; null for the newest. */
  public static ReadState of(OperationContext operation) {
    return (ReadState) operation.readPoint();
  }

  /** Says that a collection was not what it is now, and that what it was is not known. */
  public static CommandException unavailable(Namespace namespace) {
    return new CommandException(
        ErrorCode.SNAPSHOT_UNAVAILABLE,
        "Unable to read from a snapshot due to pending collection catalog changes to collection '"
            + namespace
            + "'; please retry the operation.");
  }

  /** Says that states of the past are known only of what the members of a set have in common. */
  public static CommandException notReplicated(Namespace namespace) {
    return new CommandException(
        ErrorCode.INVALID_OPTIONS,
        "Cannot use a snapshot read concern on the unreplicated collection " + namespace);
  }

  @Override
  public void close() {
    view.close();
  }
}
