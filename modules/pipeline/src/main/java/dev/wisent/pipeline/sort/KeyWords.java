package dev.wisent.pipeline.sort;

import dev.wisent.bson.LittleEndian;
import java.util.Arrays;

/**
 * Sorts keys by words of seven of their bytes. First all are sorted by their beginnings, which
 * stand in an array; then those with the same beginning by what follows it, and so on. So a key is
 * read once for each of its words, not for each comparison.
 *
 * <p>The eighth byte of a word says how many of the key's bytes are in it, or that more follow. So
 * a key comes before those that it is the beginning of.
 */
final class KeyWords {
  private static final int WORD_BYTES = 7;
  private static final int MORE = WORD_BYTES + 1;

  /** Keys that agree in so many bytes are compared as a whole. */
  private static final int DEPTH_MAX = 64 * WORD_BYTES;

  /** So few are sorted by insertion. */
  private static final int FEW = 8;

  private final long[] words;
  private final long[] positions;
  private final Keys keys;
  private long[] otherWords = {};
  private long[] otherPositions = {};

  /** Where a key is. */
  record Key(byte[] bytes, int offset, int length) {}

  /** Finds the key at a position. */
  interface Keys {
    Key at(long position);
  }

  /**
   * @param words the first word of each key
   * @param positions what is known of each key; sorted along with the words
   */
  KeyWords(long[] words, long[] positions, Keys keys) {
    this.words = words;
    this.positions = positions;
    this.keys = keys;
  }

  /** The first word of a key, as a number that is compared with its sign. */
  static long word(byte[] bytes, int offset, int length) {
    long word;
    if (offset + Long.BYTES <= bytes.length) {
      int rest = Byte.SIZE * (WORD_BYTES - Math.min(length, WORD_BYTES));
      word = Long.reverseBytes(LittleEndian.int64(bytes, offset)) >>> Byte.SIZE;
      word = word >>> rest << (rest + Byte.SIZE);
    } else {
      word = 0;
      for (int i = 0; i < WORD_BYTES; i++) {
        word = (word | (i < length ? bytes[offset + i] & 0xFF : 0)) << Byte.SIZE;
      }
    }
    return (word | Math.min(length, MORE)) ^ Long.MIN_VALUE;
  }

  private static boolean hasMore(long word) {
    return (word & 0xFF) == MORE;
  }

  /** Sorts the first {@code size} keys, leaving equal ones as they are. */
  void sort(int size) {
    if (size > FEW) {
      otherWords = new long[size];
      otherPositions = new long[size];
    }
    sort(0, size, 0);
  }

  private void sort(int from, int to, int depth) {
    boolean whole = depth >= DEPTH_MAX;
    if (to - from > FEW) {
      System.arraycopy(words, from, otherWords, from, to - from);
      System.arraycopy(positions, from, otherPositions, from, to - from);
    }
    merge(otherWords, otherPositions, words, positions, from, to, whole);
    if (!whole) {
      sortEqual(from, to, depth);
    }
  }

  /** Goes on with the next word of those keys whose words so far are the same. */
  private void sortEqual(int from, int to, int depth) {
    int start = from;
    for (int i = from + 1; i <= to; i++) {
      if (i < to && words[i] == words[start]) {
        continue;
      }
      if (i - start > 1 && hasMore(words[start])) {
        for (int each = start; each < i; each++) {
          Key key = keys.at(positions[each]);
          int read = depth + WORD_BYTES;
          words[each] = word(key.bytes(), key.offset() + read, key.length() - read);
        }
        sort(start, i, depth + WORD_BYTES);
      }
      start = i;
    }
  }

  /** Sorts a part of the second arrays; the first ones have the same there, if it is not small. */
  private void merge(
      long[] fromWords,
      long[] fromPositions,
      long[] toWords,
      long[] toPositions,
      int from,
      int to,
      boolean whole) {
    if (to - from <= FEW) {
      insert(toWords, toPositions, from, to, whole);
      return;
    }
    int middle = (from + to) >>> 1;
    merge(toWords, toPositions, fromWords, fromPositions, from, middle, whole);
    merge(toWords, toPositions, fromWords, fromPositions, middle, to, whole);
    if (!isAfter(
        fromWords[middle - 1],
        fromPositions[middle - 1],
        fromWords[middle],
        fromPositions[middle],
        whole)) {
      System.arraycopy(fromWords, from, toWords, from, to - from);
      System.arraycopy(fromPositions, from, toPositions, from, to - from);
      return;
    }
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft =
          right == to
              || (left < middle
                  && !isAfter(
                      fromWords[left],
                      fromPositions[left],
                      fromWords[right],
                      fromPositions[right],
                      whole));
      int taken = takeLeft ? left++ : right++;
      toWords[i] = fromWords[taken];
      toPositions[i] = fromPositions[taken];
    }
  }

  private void insert(long[] inWords, long[] inPositions, int from, int to, boolean whole) {
    for (int i = from + 1; i < to; i++) {
      long word = inWords[i];
      long position = inPositions[i];
      int at = i;
      while (at > from && isAfter(inWords[at - 1], inPositions[at - 1], word, position, whole)) {
        inWords[at] = inWords[at - 1];
        inPositions[at] = inPositions[at - 1];
        at--;
      }
      inWords[at] = word;
      inPositions[at] = position;
    }
  }

  /** Whether a key comes after another one, by the word or, where asked for, by all of it. */
  private boolean isAfter(long a, long aPosition, long b, long bPosition, boolean whole) {
    return a != b ? a > b : whole && hasMore(a) && compare(aPosition, bPosition) > 0;
  }

  private int compare(long aPosition, long bPosition) {
    Key a = keys.at(aPosition);
    Key b = keys.at(bPosition);
    return Arrays.compareUnsigned(
        a.bytes(),
        a.offset(),
        a.offset() + a.length(),
        b.bytes(),
        b.offset(),
        b.offset() + b.length());
  }
}
