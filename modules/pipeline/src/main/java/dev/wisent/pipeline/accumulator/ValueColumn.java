package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.query.collation.Collation;
import java.util.Arrays;

/** One value for each of many groups, copied. Short values take no object. */
final class ValueColumn {
  private static final byte NOTHING = (byte) 0xFE;
  private static final int SHORT_BYTES = 8;
  private static final long ARRAY_BYTES = 24;

  private byte[] types = new byte[16];
  private byte[] shorts = new byte[16 * SHORT_BYTES];

  /** Values of more than eight bytes; null until there is one. */
  private byte[][] longs;

  private long longBytes;

  /** Makes room for a group, which has nothing yet. */
  void start(int group) {
    if (group >= types.length) {
      int length = 2 * types.length;
      types = Arrays.copyOf(types, length);
      shorts = Arrays.copyOf(shorts, length * SHORT_BYTES);
      longs = longs == null ? null : Arrays.copyOf(longs, length);
    }
    types[group] = NOTHING;
    forget(group);
  }

  private void forget(int group) {
    if (longs != null && longs[group] != null) {
      longBytes -= longs[group].length + ARRAY_BYTES;
      longs[group] = null;
    }
  }

  /** Whether there is a value, or the knowledge that it is missing. */
  boolean has(int group) {
    return types[group] != NOTHING;
  }

  /** Puts a value in the place of the one before, if there was one. */
  void put(int group, byte type, byte[] bytes, int offset, int length) {
    types[group] = type;
    if (length <= SHORT_BYTES) {
      forget(group);
      if (length > 0) {
        System.arraycopy(bytes, offset, shorts, group * SHORT_BYTES, length);
      }
      return;
    }
    if (longs == null) {
      longs = new byte[types.length][];
    }
    if (longs[group] == null || longs[group].length != length) {
      forget(group);
      longs[group] = new byte[length];
      longBytes += length + ARRAY_BYTES;
    }
    System.arraycopy(bytes, offset, longs[group], 0, length);
  }

  void put(int group, RawValue value) {
    if (value == null) {
      put(group, ValueStates.MISSING, null, 0, 0);
    } else {
      put(group, value.type(), value.bytes(), value.offset(), value.length());
    }
  }

  /** The value, over bytes of its own; null where there is none or it is missing. */
  RawValue get(int group) {
    byte type = types[group];
    if (type == NOTHING || type == ValueStates.MISSING) {
      return null;
    }
    if (longs != null && longs[group] != null) {
      return new RawValue(type, longs[group].clone(), 0, longs[group].length);
    }
    int at = group * SHORT_BYTES;
    int length = RawValue.lengthAt(type, shorts, at);
    return new RawValue(type, Arrays.copyOfRange(shorts, at, at + length), 0, length);
  }

  /** Compares a value with that of the group, which must have one. */
  int compare(int group, byte type, byte[] bytes, int offset, int length, Collation collation) {
    if (collation != null && Collation.affects(type)) {
      return collation.compare(new RawValue(type, bytes, offset, length), get(group));
    }
    return longs != null && longs[group] != null
        ? ValueOrder.compareAt(type, bytes, offset, types[group], longs[group], 0)
        : ValueOrder.compareAt(type, bytes, offset, types[group], shorts, group * SHORT_BYTES);
  }

  /** The bytes of memory that are held. */
  long bytes() {
    return types.length + shorts.length + longBytes + (longs == null ? 0 : 4L * longs.length);
  }
}
