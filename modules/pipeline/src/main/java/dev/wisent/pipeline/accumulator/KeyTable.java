package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import java.util.Arrays;

/**
 * Values that are different, numbered in the order in which they came: encoded keys, by which they
 * are found, and the value that each was when it was first seen. All of it is bytes in a few large
 * arrays, so that a value costs no object.
 *
 * <p>An entry is the length of the key, the length of the value, its type, the key and the value.
 */
public final class KeyTable {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int PAGE_BITS = 17;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int FIRST_PAGE_BYTES = 1 << 9;
  private static final int LARGE_BYTES = PAGE_BYTES / 4;
  private static final int HEADER_BYTES = 9;

  /** Keys up to this length fit a number together with their length. */
  private static final int SHORT_BYTES = 7;

  /** So that no client can prepare keys whose hashes are all the same. */
  private final long seed = System.identityHashCode(this) * MULTIPLIER;

  /**
   * Two cells for each place. The first has a short key itself, or the hash of a longer one, so
   * that most keys are found without a look at their entries. The second has where the entry
   * begins, in the upper half, and its number, counted from 1, in the lower; 0 where nothing is.
   */
  private long[] slots = new long[16];

  /** The cell that the key belongs to which was just found to be new. */
  private int free;

  /** Where each entry begins: the page and the place in it. */
  private int[] starts = new int[8];

  private byte[][] pages = new byte[2][];
  private int pageCount;

  /** The page that is being filled, up to where, and how long it is. */
  private int currentPage;

  private int pageEnd;
  private int currentPageBytes;

  /** Small tables stay small. */
  private int nextPageBytes = FIRST_PAGE_BYTES;

  private long pageBytes;
  private int size;

  /** How many different values there are. */
  public int size() {
    return size;
  }

  /** The number of a key; -1 - the number where it is new. Its value may be put then, at once. */
  public int find(byte[] key, int length) {
    long word = length <= SHORT_BYTES ? packed(key, length) : hash(key, length);
    long[] cells = slots;
    int mask = cells.length - 1;
    int at = place(word) & mask;
    while (true) {
      long entry = cells[at + 1];
      if (entry == 0) {
        cells[at] = word;
        free = at + 1;
        return -1 - size;
      }
      if (cells[at] == word
          && (length <= SHORT_BYTES || hasKey((int) (entry >>> Integer.SIZE), key, length))) {
        return (int) entry - 1;
      }
      at = (at + 2) & mask;
    }
  }

  /** A short key as a number: its bytes, and its length in the uppermost. */
  private static long packed(byte[] key, int length) {
    long word = 0;
    if (key.length >= Long.BYTES) {
      word = LittleEndian.int64(key, 0) & ((1L << (Byte.SIZE * length)) - 1);
    } else {
      for (int i = length - 1; i >= 0; i--) {
        word = word << Byte.SIZE | (key[i] & 0xFF);
      }
    }
    return word | (long) length << (Byte.SIZE * SHORT_BYTES);
  }

  /** The hash of a longer key, which no short one is: the sign says so. */
  private long hash(byte[] key, int length) {
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
    return (hash ^ (hash >>> 32)) | Long.MIN_VALUE;
  }

  /** Where the search for a word begins: an even number. */
  private int place(long word) {
    long mixed = (word ^ seed) * MULTIPLIER;
    return (int) (((mixed ^ (mixed >>> 32)) * MULTIPLIER) >>> 32) << 1;
  }

  private boolean hasKey(int start, byte[] key, int length) {
    byte[] page = pages[start >>> PAGE_BITS];
    int at = start & PAGE_BYTES - 1;
    int from = at + HEADER_BYTES;
    return LittleEndian.int32(page, at) == length
        && Arrays.equals(page, from, from + length, key, 0, length);
  }

  /** Adds the value whose key was just found to be new. */
  public void put(byte[] key, int keyLength, byte type, byte[] value, int offset, int length) {
    int start = makeRoom(HEADER_BYTES + keyLength + length);
    byte[] page = pages[start >>> PAGE_BITS];
    int at = start & PAGE_BYTES - 1;
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
    starts[size++] = start;
    slots[free] = (long) start << Integer.SIZE | size;
    if (2 * size > slots.length - (slots.length >>> 2)) {
      rehash();
    }
  }

  /** A place for an entry; a large one has a page of its own, and others go on where they were. */
  private int makeRoom(int bytes) {
    if (bytes > LARGE_BYTES) {
      return addPage(bytes) << PAGE_BITS;
    }
    if (pageEnd + bytes > currentPageBytes) {
      currentPageBytes = Math.max(bytes, nextPageBytes);
      currentPage = addPage(currentPageBytes);
      pageEnd = 0;
      nextPageBytes = Math.min(2 * nextPageBytes, PAGE_BYTES);
    }
    int start = currentPage << PAGE_BITS | pageEnd;
    pageEnd += bytes;
    return start;
  }

  private int addPage(int bytes) {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, 2 * pageCount);
    }
    pages[pageCount] = new byte[bytes];
    pageBytes += bytes;
    return pageCount++;
  }

  private void rehash() {
    long[] old = slots;
    slots = new long[2 * old.length];
    int mask = slots.length - 1;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        int at = place(old[i]) & mask;
        while (slots[at + 1] != 0) {
          at = (at + 2) & mask;
        }
        slots[at] = old[i];
        slots[at + 1] = old[i + 1];
      }
    }
  }

  public byte[] key(int entry) {
    byte[] page = page(entry);
    int from = start(entry) + HEADER_BYTES;
    return Arrays.copyOfRange(page, from, from + LittleEndian.int32(page, start(entry)));
  }

  /** A value as it was first seen. */
  public RawValue value(int entry) {
    byte[] page = page(entry);
    int at = start(entry);
    int from = at + HEADER_BYTES + LittleEndian.int32(page, at);
    return new RawValue(page[at + 8], page, from, LittleEndian.int32(page, at + 4));
  }

  /** Compares two keys. */
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

  private byte[] page(int entry) {
    return pages[starts[entry] >>> PAGE_BITS];
  }

  private int start(int entry) {
    return starts[entry] & PAGE_BYTES - 1;
  }

  /** The numbers in the order of their keys. */
  public int[] inOrder() {
    int[] entries = new int[size];
    for (int i = 0; i < size; i++) {
      entries[i] = i;
    }
    sort(entries, entries.clone(), 0, size);
    return entries;
  }

  /** Sorts a part of {@code into}; {@code from} has the same numbers there. */
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
  public long bytes() {
    return pageBytes + 8L * slots.length + 4L * starts.length;
  }
}
