package dev.wisent.storage;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Changes that the store does not have, sorted by key: the writes of a transaction before its
 * commit. {@link #over} shows a state of the store with the changes so far; later changes do not
 * show in it, so a statement does not read its own writes. One thread changes it, others may read.
 */
public final class Overlay {
  /** What a change takes in memory beside its key and value, roughly. */
  private static final int CHANGE_OVERHEAD_BYTES = 120;

  private final Map<Keyspace, ConcurrentNavigableMap<byte[], Version>> changes =
      new EnumMap<>(Keyspace.class);

  /** The number of changes, which is the number of the newest version. */
  private volatile long newest;

  private volatile long bytes;

  public Overlay() {
    for (Keyspace keyspace : Keyspace.values()) {
      changes.put(keyspace, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
    }
  }

  /**
   * What one change makes of a key.
   *
   * @param value null if the key is deleted, or is a counter
   * @param delta what is added to a counter, with all older versions
   * @param older the version before; null if there is none
   */
  private record Version(long number, byte[] value, long delta, Version older) {}

  /** A value in the overlay; {@code value} is null if the key is deleted. */
  record Entry(byte[] key, byte[] value) {
    boolean isDeleted() {
      return value == null;
    }
  }

  /**
   * Adds the changes of a mutation.
   *
   * @throws IllegalArgumentException if it deletes a range, which only definitions do
   */
  public void add(Mutation mutation) {
    var change = new BatchReader(mutation);
    while (change.next()) {
      byte[] key = part(change, change.keyOffset(), change.keyLength());
      switch (change.kind()) {
        case PUT ->
            put(
                change.keyspace(),
                key,
                part(change, change.valueOffset(), change.valueLength()),
                0);
        case DELETE -> put(change.keyspace(), key, null, 0);
        case ADD -> put(change.keyspace(), key, null, change.delta());
        case DELETE_RANGE ->
            throw new IllegalArgumentException("an overlay does not delete a range of keys");
      }
    }
  }

  private static byte[] part(BatchReader change, int offset, int length) {
    return Arrays.copyOfRange(change.bytes(), offset, offset + length);
  }

  private void put(Keyspace keyspace, byte[] key, byte[] value, long delta) {
    long number = newest + 1;
    changes
        .get(keyspace)
        .compute(
            key,
            (same, older) ->
                new Version(number, value, delta + (older == null ? 0 : older.delta()), older));
    newest = number;
    long before = bytes;
    bytes = before + CHANGE_OVERHEAD_BYTES + key.length + (value == null ? 0 : value.length);
  }

  public boolean isEmpty() {
    return newest == 0;
  }

  /** The memory that the changes take, roughly. */
  public long bytes() {
    return bytes;
  }

  /** Adds the newest changes of all keys to a mutation; counters are not among them. */
  public void writeTo(MutationBuilder mutation) {
    changes.forEach(
        (keyspace, keys) ->
            keys.forEach(
                (key, version) -> {
                  if (version.value() == null) {
                    mutation.delete(keyspace, key);
                  } else {
                    mutation.put(keyspace, key, version.value());
                  }
                }));
  }

  /** Whether a key is changed. */
  public boolean has(Keyspace keyspace, byte[] key) {
    return changes.get(keyspace).containsKey(key);
  }

  /** The newest value of a key, not to be changed; null if it is deleted or not changed. */
  public byte[] value(Keyspace keyspace, byte[] key) {
    Version version = changes.get(keyspace).get(key);
    return version == null ? null : version.value();
  }

  /** A state of the store with all changes so far; it takes over {@code base}. */
  public FixedView over(FixedView base) {
    return new OverlayView(base, this, newest);
  }

  /** A state of the store with all changes, those of the future too; it is not closed. */
  public ReadView newest(FixedView base) {
    return new OverlayView(base, this, Long.MAX_VALUE);
  }

  /** The change of a key up to a version; null if there is none. */
  Entry find(Keyspace keyspace, byte[] key, long upTo) {
    Version version = upTo(changes.get(keyspace).get(key), upTo);
    return version == null ? null : new Entry(key, version.value());
  }

  /** What is added to a counter up to a version. */
  long delta(Keyspace keyspace, byte[] key, long upTo) {
    Version version = upTo(changes.get(keyspace).get(key), upTo);
    return version == null ? 0 : version.delta();
  }

  private static Version upTo(Version newest, long upTo) {
    Version version = newest;
    while (version != null && version.number() > upTo) {
      version = version.older();
    }
    return version;
  }

  /** The changed keys of a range in the direction of a cursor. */
  Range range(KeyRange range, long upTo) {
    NavigableMap<byte[], Version> keys = changes.get(range.keyspace());
    byte[] lower = range.lowerInclusive();
    byte[] upper = range.upperExclusive();
    if (lower != null && upper != null) {
      boolean empty = Arrays.compareUnsigned(lower, upper) >= 0;
      keys = keys.subMap(lower, true, empty ? lower : upper, false);
    } else if (lower != null) {
      keys = keys.tailMap(lower, true);
    } else if (upper != null) {
      keys = keys.headMap(upper, false);
    }
    return new Range(range.reverse() ? keys.descendingMap() : keys, upTo);
  }

  /** Changed keys in order, up to a version. */
  record Range(NavigableMap<byte[], Version> keys, long upTo) {
    /** The first change; null if there is none. */
    Entry first() {
      return visible(keys.firstEntry());
    }

    /** The first change after a key; null if there is none. */
    Entry after(byte[] key) {
      return visible(keys.higherEntry(key));
    }

    /** The first change at a key or after it; null if there is none. */
    Entry from(byte[] key) {
      return visible(keys.ceilingEntry(key));
    }

    private Entry visible(Map.Entry<byte[], Version> start) {
      Map.Entry<byte[], Version> at = start;
      while (at != null) {
        Version version = Overlay.upTo(at.getValue(), upTo);
        if (version != null) {
          return new Entry(at.getKey(), version.value());
        }
        at = keys.higherEntry(at.getKey());
      }
      return null;
    }
  }
}
