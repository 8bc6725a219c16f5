package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * One change: an entry of the oplog, or a part of a transaction's.
 *
 * @param operation what was done, as an entry says it
 * @param entry the entry that makes it visible
 * @param position the timestamp of that entry
 * @param clusterTime when it became visible; what several shards commit does so at one time, which
 *     is before their entries
 * @param transactionIndex its place among the changes of a transaction; negative if it is in none
 * @param imageTime the timestamp of the entry that it is written in
 * @param imagePosition its place in that entry
 */
record OplogChange(
    RawDocument operation,
    RawDocument entry,
    long position,
    long clusterTime,
    long transactionIndex,
    long imageTime,
    int imagePosition) {
  static OplogChange of(RawDocument entry, long timestamp) {
    return new OplogChange(entry, entry, timestamp, timestamp, -1, timestamp, 0);
  }

  boolean isInTransaction() {
    return transactionIndex >= 0;
  }

  /** A note is in a transaction of the shard with its own tables. */
  boolean isOfClientTransaction() {
    return isInTransaction() && !EntryFields.string(operation, "op").equals("n");
  }

  RawValue wallTime() {
    return entry.get("wall");
  }

  boolean isFromMigration() {
    return EntryFields.isTrue(operation, "fromMigrate");
  }
}
