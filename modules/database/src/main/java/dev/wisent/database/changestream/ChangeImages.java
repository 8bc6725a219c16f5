package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.util.UUID;

/** The documents as they were before changes, for collections that keep them. Thread-safe. */
@FunctionalInterface
public interface ChangeImages {
  /** Keeps none. */
  ChangeImages NONE = (collection, timestamp, applyOpsIndex, operation) -> null;

  /**
   * A document before its change.
   *
   * @param timestamp of the oplog entry that tells of the change, as the 64 bits of a BSON
   *     timestamp
   * @param applyOpsIndex the place of the change in an {@code applyOps} entry; 0 in others
   * @return null where it was not kept, or is no longer
   */
  RawDocument before(
      UUID collection, long timestamp, long applyOpsIndex, OperationContext operation);
}
