package dev.wisent.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds several top-level fields of a document in one walk over its bytes, which ends with the last
 * of them. Made once for the names and used for one document after the other, by one thread.
 *
 * <p>{@link #start} and then {@link #next} until the walk may end; or {@link #find} for all at
 * once. What was found can then be asked for by the number of its name. Of two fields with the same
 * name the first counts, as everywhere.
 */
public final class FieldFinder {
  private static final int WORD_BYTES = 8;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final byte MISSING = 0;

  private final byte[][] names;

  /** An open hash table of the names by their first bytes; -1 where there is none. */
  private final int[] table;

  private final int hashShift;

  /** The first eight bytes of each name, or all and zeros. */
  private final long[] words;

  private final byte[] types;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] bytes;
  private int position;
  private int left;

  private FieldFinder(List<byte[]> distinct) {
    names = distinct.toArray(byte[][]::new);
    words = new long[names.length];
    types = new byte[names.length];
    offsets = new int[names.length];
    lengths = new int[names.length];
    int tableBits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * names.length);
    hashShift = Long.SIZE - tableBits;
    table = new int[1 << tableBits];
    Arrays.fill(table, -1);
    for (int i = 0; i < names.length; i++) {
      words[i] = word(names[i], 0, names[i].length);
      int at = hash(words[i]);
      while (table[at] >= 0) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = i;
    }
  }

  /**
   * @param names distinct names of fields, which get the numbers 0, 1, …
   */
  public static FieldFinder of(List<String> names) {
    if (names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException("a name twice: " + names);
    }
    return new FieldFinder(
        names.stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /** Finds all of the fields that a document has. */
  public void find(RawDocument document) {
    start(document);
    while (next() >= 0) {
      // The arrays keep what was found.
    }
  }

  /** Begins with another document. */
  public void start(RawDocument document) {
    bytes = document.bytes();
    position = document.offset() + 4;
    left = names.length;
    Arrays.fill(types, MISSING);
  }

  /** Walks to the next one of the fields; the number of its name, -1 if there is none left. */
  public int next() {
    byte[] b = bytes;
    int at = position;
    while (left > 0) {
      byte type = b[at];
      if (type == 0) {
        left = 0;
        break;
      }
      int name = at + 1;
      long word;
      int value;
      if (name + WORD_BYTES <= b.length) {
        word = LittleEndian.int64(b, name);
        long zeros = CString.zeroBytes(word);
        if (zeros == 0) {
          value = CString.end(b, name + WORD_BYTES) + 1;
        } else {
          // All bits below the first zero byte: the bytes of the name.
          word &= ((zeros & -zeros) - 1) >>> 7;
          value = name + (Long.numberOfTrailingZeros(zeros) >>> 3) + 1;
        }
      } else {
        value = CString.end(b, name) + 1;
        word = word(b, name, value - 1);
      }
      int length = RawValue.lengthAt(type, b, value);
      at = value + length;
      int found = number(word, b, name, value - 1);
      if (found >= 0 && types[found] == MISSING) {
        types[found] = type;
        offsets[found] = value;
        lengths[found] = length;
        left--;
        position = at;
        return found;
      }
    }
    return -1;
  }

  /** The number of a name; -1 for any other. */
  private int number(long word, byte[] b, int from, int end) {
    int at = hash(word);
    while (true) {
      int candidate = table[at];
      if (candidate < 0) {
        return -1;
      }
      if (words[candidate] == word && isRest(names[candidate], b, from, end)) {
        return candidate;
      }
      at = (at + 1) & (table.length - 1);
    }
  }

  /** Whether the names are the same, whose first words are. */
  private static boolean isRest(byte[] name, byte[] b, int from, int end) {
    int length = end - from;
    return length == name.length
        && (length <= WORD_BYTES
            || Arrays.equals(name, WORD_BYTES, length, b, from + WORD_BYTES, end));
  }

  private int hash(long word) {
    return (int) ((word * HASH_FACTOR) >>> hashShift);
  }

  private static long word(byte[] b, int from, int end) {
    long word = 0;
    for (int i = Math.min(end - from, WORD_BYTES) - 1; i >= 0; i--) {
      word = (word << 8) | (b[from + i] & 0xFF);
    }
    return word;
  }

  /** Whether the walk has come over the field. */
  public boolean isFound(int number) {
    return types[number] != MISSING;
  }

  /** The type of a field that was found; 0 otherwise. */
  public byte type(int number) {
    return types[number];
  }

  /** Where the value of a field that was found begins in {@link #bytes()}. */
  public int offset(int number) {
    return offsets[number];
  }

  /** How many bytes the value of a field has; none where it was not found. */
  public int length(int number) {
    return types[number] == MISSING ? 0 : lengths[number];
  }

  /** What the document is a part of. */
  public byte[] bytes() {
    return bytes;
  }

  /** The value of a field; null where it was not found. */
  public RawValue value(int number) {
    return types[number] == MISSING
        ? null
        : new RawValue(types[number], bytes, offsets[number], lengths[number]);
  }
}
