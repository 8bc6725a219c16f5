package dev.wisent.database.index;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;

/** Tells whether keys of an index that refuses duplicates have a record already. Thread-safe. */
public final class UniqueKeys {
  private static final byte[] NO_KEY = {};

  private final int ident;
  private final boolean id;
  private final boolean unique;
  private final GreatestKeys greatest = new GreatestKeys();

  /** The change of the store from which on all keys went through {@link #greatest}. */
  private volatile long greatestSince;

  /**
   * @param id whether the keys are those of {@code _id}
   * @param unique whether a record id is the value of a key, and not its end
   */
  UniqueKeys(int ident, boolean id, boolean unique) {
    this.ident = ident;
    this.id = id;
    this.unique = unique;
  }

  /** Whether a key belongs to another record; if not, the caller is about to add it. */
  public boolean isTaken(byte[] key, long recordId, ReadView view) {
    return !isFree(key, view) && isHeld(key, recordId, view);
  }

  /**
   * Notes a key that is about to be added; returns whether it is certainly in no state of the store
   * from a change on, without a look at the store.
   */
  public boolean isFreeSince(byte[] key, long sequence, ReadView newest) {
    return isFree(key, newest) && greatestSince <= sequence;
  }

  /** Other keys than identifiers have no order to make use of. */
  private boolean isFree(byte[] key, ReadView newest) {
    return id && greatest.addIfAbsent(key, () -> greatestKey(newest));
  }

  /** The record that has a key in a state of the store, or one of them; -1 if there is none. */
  public long holder(byte[] key, ReadView view) {
    if (unique) {
      byte[] holder = new byte[RecordKeys.RECORD_ID_BYTES];
      return view.get(Keyspace.INDEX, key, key.length, holder) < 0
          ? -1
          : RecordKeys.recordId(holder, 0);
    }
    try (KeyValueCursor entries =
        view.cursor(Keyspace.INDEX, key, IndexKeyV1.successor(key, key.length), false)) {
      return entries.next() ? RecordKeys.recordId(entries.key(), key.length) : -1;
    }
  }

  /** Whether a state of the store has the key for another record. */
  public boolean isHeld(byte[] key, long recordId, ReadView view) {
    if (!unique) {
      return isShared(key, recordId, view);
    }
    byte[] holder = new byte[RecordKeys.RECORD_ID_BYTES];
    return view.get(Keyspace.INDEX, key, key.length, holder) >= 0
        && RecordKeys.recordId(holder, 0) != recordId;
  }

  /** The same where the record id ends the key. */
  private static boolean isShared(byte[] key, long recordId, ReadView view) {
    try (KeyValueCursor entries =
        view.cursor(Keyspace.INDEX, key, IndexKeyV1.successor(key, key.length), false)) {
      while (entries.next()) {
        if (RecordKeys.recordId(entries.key(), key.length) != recordId) {
          return true;
        }
      }
    }
    return false;
  }

  private byte[] greatestKey(ReadView newest) {
    byte[] stored = greatestStored(newest);
    greatestSince = newest.sequence();
    return stored;
  }

  /** From the end of an empty index the way leads over the remains of all that was dropped. */
  private byte[] greatestStored(ReadView view) {
    byte[] lower = RecordKeys.lowerBound(ident);
    byte[] upper = RecordKeys.upperBound(ident);
    try (KeyValueCursor keys = view.cursor(Keyspace.INDEX, lower, upper, false)) {
      if (!keys.next()) {
        return NO_KEY;
      }
    }
    try (KeyValueCursor keys = view.cursor(Keyspace.INDEX, lower, upper, true)) {
      return keys.next() ? Arrays.copyOf(keys.key(), keys.keyLength()) : NO_KEY;
    }
  }

  /** Others have written keys. */
  void forget() {
    greatest.forget();
  }
}
