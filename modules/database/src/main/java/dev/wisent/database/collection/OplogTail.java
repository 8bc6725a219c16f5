package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.changestream.HistoryLost;
import dev.wisent.database.changestream.OplogSource;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.StorageEngine;

/** Reads the oplog of this member from a time on. For one thread at a time. */
public final class OplogTail implements OplogSource {
  /** The message of the first entry of a set: nothing was before it. */
  private static final String FIRST = "initiating set";

  private final StorageEngine storage;
  private final Collection oplog;

  /** The timestamp to go on from: of the last entry, or where nothing was read, the start. */
  private long place;

  /** Whether the entry at the place was read. */
  private boolean read;

  private KeyValueCursor cursor;
  private long seenVersion = -1;

  OplogTail(StorageEngine storage, Collection oplog, long start) {
    this.storage = storage;
    this.oplog = oplog;
    this.place = start;
  }

  @Override
  public RawDocument next() {
    if (cursor == null && !open()) {
      return null;
    }
    if (!cursor.next()) {
      release();
      return null;
    }
    place = OplogKeys.timestamp(cursor.key());
    read = true;
    return new RawDocument(cursor.value(), 0, cursor.valueLength());
  }

  /** Opens the oplog behind the place; false if nothing can have come since the last time. */
  private boolean open() {
    if (oplog.isReplaced()) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "operation was interrupted");
    }
    // Before the cursor sees a state: what comes after it changes the version again.
    long version = oplog.tail().version();
    if (version == seenVersion) {
      return false;
    }
    if (storage.get(Keyspace.OPLOG, OplogKeys.entry(place)) == null) {
      checkHistory();
    }
    seenVersion = version;
    cursor = storage.cursor(Keyspace.OPLOG, OplogKeys.entry(read ? place + 1 : place), null, false);
    return true;
  }

  /** Fails if entries at or behind the place may have left the oplog. */
  private void checkHistory() {
    try (KeyValueCursor oldest = storage.cursor(Keyspace.OPLOG, null, null, false)) {
      if (oldest.next()
          && Long.compareUnsigned(OplogKeys.timestamp(oldest.key()), place) > 0
          && !isFirstOfAll(new RawDocument(oldest.value(), 0, oldest.valueLength()))) {
        throw HistoryLost.ofStart();
      }
    }
  }

  private static boolean isFirstOfAll(RawDocument entry) {
    RawValue what = entry.get("o");
    RawValue message = what == null || !what.isDocument() ? null : what.asDocument().get("msg");
    return message != null && message.isString() && message.asString().equals(FIRST);
  }

  private void release() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }

  @Override
  public long timestamp() {
    return read ? place : 0;
  }

  @Override
  public long passed() {
    return read ? place : place - 1;
  }

  @Override
  public RawDocument at(long timestamp) {
    byte[] entry = storage.get(Keyspace.OPLOG, OplogKeys.entry(timestamp));
    return entry == null ? null : RawDocument.of(entry);
  }

  @Override
  public void await(long timeoutMillis) throws InterruptedException {
    if (cursor == null) {
      oplog.tail().awaitChange(seenVersion, timeoutMillis);
    }
  }

  @Override
  public void wake() {
    oplog.tail().signal();
  }

  /** A cursor that is opened again may see more, even if nothing was read to the end. */
  @Override
  public void detach() {
    if (cursor != null) {
      release();
      seenVersion = -1;
    }
  }

  @Override
  public void close() {
    release();
  }
}
