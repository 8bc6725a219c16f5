package dev.wisent.database.changestream;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The changes of an entry: the entry itself, or those of the transaction that ends with it. A large
 * transaction has several entries, each of which names the one before it; all of them count as one
 * with the last. For one thread.
 */
final class EntryChanges {
  private final OplogSource source;
  private final Deque<Long> parts = new ArrayDeque<>();
  private OplogChange single;
  private RawDocument last;
  private long lastTimestamp;
  private long clusterTime;
  private ElementCursor operations;
  private long partTimestamp;
  private int indexInPart;
  private long index;

  EntryChanges(OplogSource source) {
    this.source = source;
  }

  /** Begins with another entry. */
  void start(RawDocument entry, long timestamp) {
    RawDocument transaction = EntryFields.transaction(entry);
    boolean commit = transaction == null && EntryFields.isCommit(entry);
    if (transaction == null && !commit) {
      single = OplogChange.of(entry, timestamp);
      return;
    }
    if (!commit
        && (EntryFields.isTrue(transaction, "partialTxn")
            || EntryFields.isTrue(transaction, "prepare"))) {
      return; // The last entry of the transaction leads here.
    }
    last = entry.detached();
    lastTimestamp = timestamp;
    clusterTime = commit ? EntryFields.commitTime(entry, timestamp) : timestamp;
    index = 0;
    parts.clear();
    RawDocument part = last;
    if (!commit) {
      parts.push(timestamp);
    }
    for (long before = EntryFields.previousTimestamp(part);
        before != 0;
        before = EntryFields.previousTimestamp(part)) {
      parts.push(before);
      part = part(before);
    }
  }

  /** The next change; null when another entry is needed. */
  OplogChange next() {
    if (single != null) {
      OplogChange change = single;
      single = null;
      return change;
    }
    while (operations != null || !parts.isEmpty()) {
      if (operations == null) {
        openPart();
      }
      if (operations.next()) {
        RawDocument operation = operations.value().asDocument();
        return new OplogChange(
            operation, last, lastTimestamp, clusterTime, index++, partTimestamp, indexInPart++);
      }
      operations = null;
    }
    return null;
  }

  private void openPart() {
    partTimestamp = parts.pop();
    indexInPart = 0;
    RawDocument entry = partTimestamp == lastTimestamp ? last : part(partTimestamp);
    operations = EntryFields.transaction(entry).get("applyOps").elements();
  }

  private RawDocument part(long timestamp) {
    RawDocument entry = source.at(timestamp);
    if (entry == null || EntryFields.transaction(entry) == null) {
      throw HistoryLost.ofTransaction();
    }
    return entry;
  }
}
