package dev.wisent.storage;

import java.util.Arrays;
import org.rocksdb.RocksIterator;

/**
 * Entries that a cursor reads at once, one behind the other in one array: reading and working on
 * what was read disturb each other less when they do not alternate. Used again for the next ones.
 */
public final class EntryBatch {
  /** So many fit the nearest caches of a processor. */
  private static final int ENTRIES_MAX = 32;

  private static final int BYTES = 48 << 10;
  private static final int KEY_BYTES = 8 << 10;

  /** A batch that a large entry has blown up is not kept for small ones. */
  private static final int BYTES_KEPT_MAX = 1 << 20;

  private static final int FIRST_BYTES = 2 << 10;
  private static final int LITTLE_ROOM_BYTES = 512;

  static final byte[] NO_VALUE = {};

  private final boolean keysOnly;
  private byte[] bytes = new byte[FIRST_BYTES];
  private final int[] keys = new int[ENTRIES_MAX];
  private final int[] values = new int[ENTRIES_MAX];
  private final int[] ends = new int[ENTRIES_MAX];
  private int count;
  private int wanted = 1;

  public EntryBatch() {
    this(false);
  }

  private EntryBatch(boolean keysOnly) {
    this.keysOnly = keysOnly;
  }

  /** For a reader without use for values, which all are empty here. */
  public static EntryBatch ofKeys() {
    return new EntryBatch(true);
  }

  /** How many entries there are. */
  public int count() {
    return count;
  }

  /** Where all keys and values are. They stay there until the next entries are read. */
  public byte[] bytes() {
    return bytes;
  }

  public int keyOffset(int entry) {
    return keys[entry];
  }

  public int keyLength(int entry) {
    return values[entry] - keys[entry];
  }

  public int valueOffset(int entry) {
    return values[entry];
  }

  public int valueLength(int entry) {
    return ends[entry] - values[entry];
  }

  /** Makes room for the next entries: first for one, because many want no more, then for more. */
  void restart() {
    wanted = count == 0 ? 1 : Math.min(2 * count, ENTRIES_MAX);
    count = 0;
    int room = keysOnly ? KEY_BYTES : BYTES;
    if (bytes.length > BYTES_KEPT_MAX || (wanted > 1 && bytes.length < room)) {
      bytes = new byte[room];
    }
  }

  boolean isFull() {
    return count == wanted || (count > 0 && bytes.length - ends[count - 1] < LITTLE_ROOM_BYTES);
  }

  /**
   * Adds the entry that an iterator is at.
   *
   * @return whether it fits; a first entry always does
   */
  boolean add(RocksIterator iterator, ReadView view) {
    int key = count == 0 ? 0 : ends[count - 1];
    int value = key + read(iterator, view, key, true);
    if (value > bytes.length) {
      return false;
    }
    int end = keysOnly ? value : value + read(iterator, view, value, false);
    if (end > bytes.length) {
      return false;
    }
    keys[count] = key;
    values[count] = value;
    ends[count] = end;
    count++;
    return true;
  }

  /** Whether values are left out. */
  boolean isOfKeys() {
    return keysOnly;
  }

  /** Adds an entry from memory; as {@link #add(RocksIterator, ReadView)}. */
  boolean add(byte[] key, int keyLength, byte[] value, int valueLength, ReadView view) {
    int keyAt = count == 0 ? 0 : ends[count - 1];
    int valueAt = keyAt + keyLength;
    int end = valueAt + valueLength;
    if (end > bytes.length) {
      if (count > 0) {
        return false;
      }
      view.admit(end);
      bytes = new byte[end];
    }
    System.arraycopy(key, 0, bytes, keyAt, keyLength);
    System.arraycopy(value, 0, bytes, valueAt, valueLength);
    keys[count] = keyAt;
    values[count] = valueAt;
    ends[count] = end;
    count++;
    return true;
  }

  /** Reads as much as there is room for, or, as the first entry, all; returns how much it is. */
  private int read(RocksIterator iterator, ReadView view, int at, boolean key) {
    int room = bytes.length - at;
    int length = key ? iterator.key(bytes, at, room) : iterator.value(bytes, at, room);
    if (length > room && count == 0) {
      view.admit(length);
      bytes = Arrays.copyOf(bytes, at + length);
      return read(iterator, view, at, key);
    }
    return length;
  }
}
