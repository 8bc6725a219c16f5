package dev.wisent.bson;

import java.util.Arrays;

/**
 * Finds several fields of a document in one walk over its bytes, and remembers where they are.
 * Nothing is made for a document: the places are kept in the same arrays. Belongs to one thread.
 */
public final class FieldSlots {
  /** The type of a field that is missing. */
  public static final byte MISSING = 0;

  private static final int HEAD_BYTES = 8;

  private final byte[][] names;

  /** The first eight bytes of each name, filled up with zeros. */
  private final long[] heads;

  private final byte[] types;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] bytes;

  /**
   * @param names of fields, each once; a field's number is its place here
   */
  public FieldSlots(byte[][] names) {
    this.names = names.clone();
    this.heads = new long[names.length];
    this.types = new byte[names.length];
    this.offsets = new int[names.length];
    this.lengths = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      heads[i] = head(names[i], 0, names[i].length);
    }
  }

  private static long head(byte[] bytes, int from, int to) {
    long head = 0;
    for (int i = Math.min(to - from, HEAD_BYTES) - 1; i >= 0; i--) {
      head = head << 8 | (bytes[from + i] & 0xFF);
    }
    return head;
  }

  /** Looks for the fields; of several with the same name the first one counts. */
  public void read(RawDocument document) {
    byte[] from = document.bytes();
    bytes = from;
    Arrays.fill(types, MISSING);
    Arrays.fill(lengths, 0);
    int wanted = names.length;
    int at = document.offset() + 4;
    while (wanted > 0) {
      byte type = from[at];
      if (type == 0) {
        return;
      }
      int name = at + 1;
      int end;
      long head;
      if (name + HEAD_BYTES <= from.length) {
        long word = LittleEndian.int64(from, name);
        long zeros = CString.zeroBytes(word);
        if (zeros != 0) {
          // The lowest set bit is the highest of the first zero byte: below it is the name.
          end = name + (Long.numberOfTrailingZeros(zeros) >>> 3);
          head = word & ((Long.lowestOneBit(zeros) >>> 7) - 1);
        } else {
          end = CString.end(from, name + HEAD_BYTES);
          head = word;
        }
      } else {
        end = CString.end(from, name);
        head = head(from, name, end);
      }
      int value = end + 1;
      int length = RawValue.lengthAt(type, from, value);
      int slot = find(head, from, name, end);
      if (slot >= 0) {
        types[slot] = type;
        offsets[slot] = value;
        lengths[slot] = length;
        wanted--;
      }
      at = value + length;
    }
  }

  private int find(long head, byte[] from, int name, int end) {
    for (int i = 0; i < heads.length; i++) {
      if (heads[i] == head && types[i] == MISSING && isNamed(names[i], from, name, end)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isNamed(byte[] wanted, byte[] from, int name, int end) {
    int length = end - name;
    return length == wanted.length
        && (length <= HEAD_BYTES
            || Arrays.equals(from, name + HEAD_BYTES, end, wanted, HEAD_BYTES, length));
  }

  /** {@link #MISSING} where the document has no such field. */
  public byte type(int field) {
    return types[field];
  }

  /** The array of the document that was read last. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the field's value begins. */
  public int offset(int field) {
    return offsets[field];
  }

  /** How many bytes the field's value has; none where it is missing. */
  public int length(int field) {
    return lengths[field];
  }

  /** The field's value; null where it is missing. */
  public RawValue value(int field) {
    return types[field] == MISSING
        ? null
        : new RawValue(types[field], bytes, offsets[field], lengths[field]);
  }
}
