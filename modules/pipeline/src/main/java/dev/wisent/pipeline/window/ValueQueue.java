package dev.wisent.pipeline.window;

import dev.wisent.bson.RawValue;

/**
 * Values of documents that follow each other, oldest first, each under the number of its document.
 * They lie in one array of bytes, so that a long window is not a heap of small objects.
 */
final class ValueQueue {
  private static final byte MISSING = 0;
  private static final int BYTES_INITIAL = 256;
  private static final int COUNT_INITIAL = 16;

  private byte[] bytes = new byte[BYTES_INITIAL];
  private int tail;

  /** Where the values begin, from that at {@code head} on; the last one ends at the tail. */
  private int[] starts = new int[COUNT_INITIAL];

  private int head;
  private int count;
  private long first;

  boolean isEmpty() {
    return count == 0;
  }

  /** The number of the oldest value's document. */
  long first() {
    return first;
  }

  /** The number that the next value gets. */
  long end() {
    return first + count;
  }

  /** Says what number the next value gets; only while there are none. */
  void startAt(long number) {
    first = number;
  }

  void clear() {
    head = 0;
    count = 0;
    tail = 0;
    first = 0;
  }

  /** Copies a value; null for one that is missing. What was given out before is no longer valid. */
  void add(RawValue value) {
    int length = 1 + (value == null ? 0 : value.length());
    if (bytes.length - tail < length || head + count == starts.length) {
      makeRoom(length);
    }
    starts[head + count++] = tail;
    bytes[tail] = value == null ? MISSING : value.type();
    if (value != null) {
      System.arraycopy(value.bytes(), value.offset(), bytes, tail + 1, value.length());
    }
    tail += length;
  }

  private void makeRoom(int length) {
    int from = count == 0 ? tail : starts[head];
    int used = tail - from;
    byte[] room =
        used + length > bytes.length / 2
            ? new byte[Math.max(2 * bytes.length, used + length)]
            : bytes;
    System.arraycopy(bytes, from, room, 0, used);
    int[] places = count > starts.length / 2 ? new int[2 * starts.length] : starts;
    System.arraycopy(starts, head, places, 0, count);
    for (int i = 0; i < count; i++) {
      places[i] -= from;
    }
    bytes = room;
    starts = places;
    head = 0;
    tail = used;
  }

  /** The value of a document, valid until the next one is added; null where it is missing. */
  RawValue get(long number) {
    int i = head + (int) (number - first);
    int start = starts[i];
    int end = i + 1 == head + count ? tail : starts[i + 1];
    return bytes[start] == MISSING
        ? null
        : new RawValue(bytes[start], bytes, start + 1, end - start - 1);
  }

  /** Forgets the oldest value. */
  void drop() {
    head++;
    count--;
    first++;
    if (count == 0) {
      head = 0;
      tail = 0;
    }
  }

  /** Forgets the values of all documents before that one. */
  void dropBefore(long number) {
    while (count > 0 && first < number) {
      drop();
    }
  }

  long bytes() {
    return bytes.length + 4L * starts.length;
  }
}
