package dev.wisent.sharding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Bounds of chunks, ascending, one after the other in one array. Keys of neighbours begin alike, so
 * a search looks at the eight bytes behind what all of them have in common.
 */
final class SortedBounds {
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] pool;

  /** Where each key begins, where its type bits begin, and at last where they end. */
  private final int[] offsets;

  /** How many bytes all keys begin with. */
  private final int prefix;

  /** The eight bytes behind that, big endian; zeros behind the end of a key. */
  private final long[] heads;

  SortedBounds(List<EncodedBound> bounds) {
    pool = new byte[bounds.stream().mapToInt(EncodedBound::length).sum()];
    offsets = new int[2 * bounds.size() + 1];
    for (int i = 0; i < bounds.size(); i++) {
      EncodedBound bound = bounds.get(i);
      int start = offsets[2 * i];
      System.arraycopy(bound.bytes(), bound.start(), pool, start, bound.length());
      offsets[2 * i + 1] = start + bound.keyEnd() - bound.start();
      offsets[2 * i + 2] = start + bound.length();
    }
    heads = new long[bounds.size()];
    prefix = bounds.isEmpty() ? 0 : commonPrefix(bounds.getFirst(), bounds.getLast());
    for (int i = 0; i < heads.length; i++) {
      heads[i] = head(pool, offsets[2 * i] + prefix, offsets[2 * i + 1]);
    }
  }

  private static int commonPrefix(EncodedBound first, EncodedBound last) {
    int mismatch =
        Arrays.mismatch(
            first.bytes(),
            first.start(),
            first.keyEnd(),
            last.bytes(),
            last.start(),
            last.keyEnd());
    return mismatch < 0 ? first.keyEnd() - first.start() : mismatch;
  }

  private static long head(byte[] bytes, int from, int to) {
    if (to - from >= Long.BYTES) {
      return (long) BIG_ENDIAN.get(bytes, from);
    }
    long head = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      head = head << Byte.SIZE | (from + i < to ? Byte.toUnsignedLong(bytes[from + i]) : 0);
    }
    return head;
  }

  EncodedBound get(int i) {
    return new EncodedBound(pool, offsets[2 * i], offsets[2 * i + 1], offsets[2 * i + 2]);
  }

  /** How a bound compares with a key. */
  int compare(int i, byte[] key) {
    return Arrays.compareUnsigned(pool, offsets[2 * i], offsets[2 * i + 1], key, 0, key.length);
  }

  /** The last bound that is not above the key, or -1. */
  int floor(byte[] key) {
    int shared = Math.min(prefix, key.length);
    int order = Arrays.compareUnsigned(pool, 0, prefix, key, 0, shared);
    if (order != 0) {
      return order < 0 ? heads.length - 1 : -1;
    }
    long head = head(key, prefix, key.length);
    int low = 0;
    int high = heads.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      order = Long.compareUnsigned(heads[middle], head);
      if (order == 0) {
        order = compare(middle, key);
      }
      if (order <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
