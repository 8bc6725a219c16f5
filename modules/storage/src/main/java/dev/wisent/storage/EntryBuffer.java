package dev.wisent.storage;

import java.util.Arrays;

/** Entries one behind the other in one array, and where each begins, which is what gets sorted. */
final class EntryBuffer {
  private static final int INITIAL_BYTES = 64 << 10;

  /** The place of an entry, and two copies of that while they are sorted. */
  private static final int OVERHEAD_BYTES = 3 * Integer.BYTES;

  private final int bytesMax;
  private byte[] bytes = new byte[INITIAL_BYTES];
  private int[] starts = new int[INITIAL_BYTES / 32];
  private int end;
  private int count;

  EntryBuffer(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** An empty buffer has room for anything. */
  boolean hasRoomFor(byte[] key, byte[] value) {
    long used = end + (long) count * OVERHEAD_BYTES;
    return count == 0
        || used + 2 * Integer.BYTES + OVERHEAD_BYTES + key.length + value.length <= bytesMax;
  }

  void add(byte[] key, byte[] value) {
    int needed = end + 2 * Integer.BYTES + key.length + value.length;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, grown(bytes.length)));
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
    }
    starts[count++] = end;
    BatchFormat.INT_LE.set(bytes, end, key.length);
    BatchFormat.INT_LE.set(bytes, end + Integer.BYTES, value.length);
    end += 2 * Integer.BYTES;
    System.arraycopy(key, 0, bytes, end, key.length);
    System.arraycopy(value, 0, bytes, end + key.length, value.length);
    end = needed;
  }

  private int grown(int length) {
    return (int) Math.min(2L * length, Math.max(length, bytesMax));
  }

  void clear() {
    end = 0;
    count = 0;
  }

  /** Sorts the entries; they are to be read before the buffer changes. */
  SortedEntries sorted() {
    int[] sorted = Arrays.copyOf(starts, count);
    sort(Arrays.copyOf(sorted, count), sorted, 0, count);
    return new InOrder(sorted);
  }

  /** Merges the halves of {@code from} into {@code to}; both hold the same at the beginning. */
  private void sort(int[] from, int[] to, int low, int high) {
    if (high - low < 2) {
      return;
    }
    int middle = (low + high) >>> 1;
    sort(to, from, low, middle);
    sort(to, from, middle, high);
    if (compare(from[middle - 1], from[middle]) <= 0) {
      System.arraycopy(from, low, to, low, high - low);
      return;
    }
    int left = low;
    int right = middle;
    for (int i = low; i < high; i++) {
      boolean takeLeft = right >= high || (left < middle && compare(from[left], from[right]) <= 0);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int a, int b) {
    int keyA = a + 2 * Integer.BYTES;
    int keyB = b + 2 * Integer.BYTES;
    return Arrays.compareUnsigned(bytes, keyA, keyA + length(a), bytes, keyB, keyB + length(b));
  }

  private int length(int at) {
    return (int) BatchFormat.INT_LE.get(bytes, at);
  }

  private final class InOrder implements SortedEntries {
    private final int[] sorted;
    private int next;
    private byte[] key;
    private int keyEnd;
    private int valueEnd;

    InOrder(int[] sorted) {
      this.sorted = sorted;
    }

    @Override
    public boolean next() {
      if (next == sorted.length) {
        return false;
      }
      int at = sorted[next++];
      int keyStart = at + 2 * Integer.BYTES;
      keyEnd = keyStart + length(at);
      key = Arrays.copyOfRange(bytes, keyStart, keyEnd);
      valueEnd = keyEnd + length(at + Integer.BYTES);
      return true;
    }

    @Override
    public byte[] key() {
      return key;
    }

    @Override
    public byte[] value() {
      return Arrays.copyOfRange(bytes, keyEnd, valueEnd);
    }

    @Override
    public void close() {
      // The buffer belongs to the sorter.
    }
  }
}
