package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** The documents as they were before changes, for collections that keep them. Thread-safe. */
@FunctionalInterface
public interface ChangeImages {
  /**
   * A document before its change.
   *
   * @param collection its uuid, as the oplog entry has it
   * @param timestamp of the oplog entry that tells of the change, as the 64 bits of a BSON
   *     timestamp
   * @param position the place of the change in an {@code applyOps} entry; 0 in others
   * @return null where it was not kept, or is no longer
   */
  RawDocument before(RawValue collection, long timestamp, int position);
}
