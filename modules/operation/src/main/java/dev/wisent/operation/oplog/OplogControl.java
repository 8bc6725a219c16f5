package dev.wisent.operation.oplog;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;

/** What commands do with the oplog itself. */
public interface OplogControl {
  /** The timestamp of the newest entry; 0 if there is none. */
  long newest();

  OplogLimits limits();

  /** Sets the limits of all members. */
  void limit(OperationContext operation, OplogLimits limits);

  /** Writes an entry that changes nothing; does nothing where no oplog is kept. */
  void note(OperationContext operation, RawDocument message);

  /**
   * Has the oplog pass a time, by an entry that changes nothing where there is no other, and change
   * streams that routers merge tell so. Many requests at once have one entry.
   *
   * @return false if only the primary can do so, and this is another member that is behind
   */
  boolean pass(OperationContext operation, long time);

  /** Does what an entry about one document says, whether an oplog is kept here or not. */
  void apply(OperationContext operation, OplogOperation entry);
}
