package dev.wisent.query.aggregate.group;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import java.util.Arrays;

/**
 * The groups that have been seen, numbered in the order in which they came: encoded keys, by which
 * they are found, and the {@code _id} that each had when it was first seen. All of it is bytes in a
 * few large arrays, so that a group costs no object.
 *
 * <p>An entry is the length of the key, the length of the value, its type, the key and the value.
 */
final class GroupTable {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int PAGE_BITS = 17;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int HEADER_BYTES = 9;

  /** So that nobody can prepare keys whose hashes are all the same. */
  private final long seed = System.identityHashCode(this) * MULTIPLIER;

  /** A hash in the upper half and a group, counted from 1, in the lower; 0 where nothing is. */
  private long[] slots = new long[64];

  /** Where the entry of each group begins: the page and the place in it. */
  private int[] starts = new int[32];

  private byte[][] pages = new byte[8][];
  private int pageCount;
  private int pageEnd = PAGE_BYTES;
  private long pageBytes;
  private int size;

  /** How many groups there are. */
  int size() {
    return size;
  }

  /** The group with this key; -1 - its number where it is new. Its value must be put then. */
  int find(byte[] key, int length) {
    int hash = hash(key, length);
    int mask = slots.length - 1;
    int at = hash & mask;
    while (true) {
      long slot = slots[at];
      if (slot == 0) {
        slots[at] = (long) hash << 32 | (size + 1);
        return -1 - size;
      }
      int group = (int) slot - 1;
      if ((int) (slot >>> 32) == hash && hasKey(group, key, length)) {
        return group;
      }
      at = (at + 1) & mask;
    }
  }

  private int hash(byte[] key, int length) {
    long hash = seed ^ length;
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      hash = Long.rotateLeft((hash ^ LittleEndian.int64(key, at)) * MULTIPLIER, 29);
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << 8 | (key[at] & 0xFF);
    }
    hash = (hash ^ rest) * MULTIPLIER;
    return (int) (hash ^ hash >>> 32);
  }

  private boolean hasKey(int group, byte[] key, int length) {
    byte[] page = pages[starts[group] >>> PAGE_BITS];
    int at = starts[group] & PAGE_BYTES - 1;
    int from = at + HEADER_BYTES;
    return LittleEndian.int32(page, at) == length
        && Arrays.equals(page, from, from + length, key, 0, length);
  }

  /** Adds the entry of the group that was just found to be new. */
  void put(byte[] key, int keyLength, byte type, byte[] value, int offset, int length) {
    int bytes = HEADER_BYTES + keyLength + length;
    if (pageEnd + bytes > PAGE_BYTES) {
      addPage(Math.max(bytes, PAGE_BYTES));
    }
    byte[] page = pages[pageCount - 1];
    int at = pageEnd;
    LittleEndian.putInt32(page, at, keyLength);
    LittleEndian.putInt32(page, at + 4, length);
    page[at + 8] = type;
    System.arraycopy(key, 0, page, at + HEADER_BYTES, keyLength);
    if (length > 0) {
      System.arraycopy(value, offset, page, at + HEADER_BYTES + keyLength, length);
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * size);
    }
    starts[size++] = (pageCount - 1) << PAGE_BITS | at;
    // A page for one large entry is full with it.
    pageEnd = at + bytes;
    if (size > slots.length - (slots.length >>> 2)) {
      rehash();
    }
  }

  private void addPage(int bytes) {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, 2 * pageCount);
    }
    pages[pageCount++] = new byte[bytes];
    pageBytes += bytes;
    pageEnd = 0;
  }

  private void rehash() {
    long[] old = slots;
    slots = new long[2 * old.length];
    int mask = slots.length - 1;
    for (long slot : old) {
      if (slot != 0) {
        int at = (int) (slot >>> 32) & mask;
        while (slots[at] != 0) {
          at = (at + 1) & mask;
        }
        slots[at] = slot;
      }
    }
  }

  byte[] key(int group) {
    byte[] page = page(group);
    int from = start(group) + HEADER_BYTES;
    return Arrays.copyOfRange(page, from, from + LittleEndian.int32(page, start(group)));
  }

  /** The {@code _id} of a group. */
  RawValue value(int group) {
    byte[] page = page(group);
    int at = start(group);
    int from = at + HEADER_BYTES + LittleEndian.int32(page, at);
    return new RawValue(page[at + 8], page, from, LittleEndian.int32(page, at + 4));
  }

  /** Compares the keys of two groups. */
  private int compare(int a, int b) {
    byte[] aPage = page(a);
    byte[] bPage = page(b);
    int aFrom = start(a) + HEADER_BYTES;
    int bFrom = start(b) + HEADER_BYTES;
    return Arrays.compareUnsigned(
        aPage,
        aFrom,
        aFrom + LittleEndian.int32(aPage, start(a)),
        bPage,
        bFrom,
        bFrom + LittleEndian.int32(bPage, start(b)));
  }

  private byte[] page(int group) {
    return pages[starts[group] >>> PAGE_BITS];
  }

  private int start(int group) {
    return starts[group] & PAGE_BYTES - 1;
  }

  /** The groups in the order of their keys. */
  int[] inOrder() {
    int[] groups = new int[size];
    for (int i = 0; i < size; i++) {
      groups[i] = i;
    }
    sort(groups, groups.clone(), 0, size);
    return groups;
  }

  /** Sorts a part of {@code into}; {@code from} has the same groups there. */
  private void sort(int[] into, int[] from, int start, int end) {
    if (end - start < 2) {
      return;
    }
    int middle = (start + end) >>> 1;
    sort(from, into, start, middle);
    sort(from, into, middle, end);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right == end || (left < middle && compare(from[left], from[right]) <= 0);
      into[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  /** The bytes of memory that are held. */
  long bytes() {
    return pageBytes + 8L * slots.length + 4L * starts.length;
  }
}
