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

  /** Does what an entry about one document says, whether an oplog is kept here or not. */
  void apply(OperationContext operation, OplogOperation entry);
}
