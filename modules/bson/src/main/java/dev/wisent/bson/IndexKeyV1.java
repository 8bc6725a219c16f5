package dev.wisent.bson;

import java.util.Arrays;

/**
 * Index keys whose unsigned byte order is {@link ValueOrder}, version 1 of the format.
 *
 * <p>A key is the concatenation of its fields. No encoded field is the beginning of another one, so
 * the order of compound keys follows field by field whatever comes after, and all bytes of a
 * descending field are inverted. A field is one class byte, in the order of the types, and a body:
 *
 * <ul>
 *   <li>MinKey, undefined, null, false, true, zero, NaN, MaxKey: the class byte alone.
 *   <li>Other numbers: the largest double that is not above the magnitude, as nine groups of seven
 *       bits (its sign bit left out), one byte each, the lowest bit saying that more follows; the
 *       last groups are left out while they are zero. Where the number is not that double, all nine
 *       say so, and then comes the rest: from 2^53 to 2^64, two bytes with what is missing to the
 *       integer part, shifted left by one, the lowest bit saying that digits of a fraction follow;
 *       elsewhere the decimal number itself, as two bytes of biased decimal exponent and its
 *       digits. Digits are packed in pairs, shifted left by one, the lowest bit saying that more
 *       follow. The bytes of negative numbers are inverted.
 *   <li>Text (strings, symbols, code): its UTF-8 bytes, with 00 as 01 01 and 01 as 01 02, then 00.
 *   <li>Documents: for each element the first class of its type, the name and 00, and the value
 *       (its class byte again only for numbers and booleans, whose types have several); then 00.
 *       Arrays: the values; then 00. Code with scope: the code as text, the scope as a document.
 *   <li>Binary: its length as one byte, or as FF and four bytes from 255 on; subtype; bytes.
 *   <li>ObjectId: its bytes. Date: eight bytes, sign bit flipped. Timestamp: eight bytes.
 *   <li>Regular expression: pattern, 00, options, 00. DBPointer: four bytes length of the
 *       namespace, namespace, ObjectId.
 * </ul>
 *
 * <p>Equal values of different types have the same key; {@link TypeBits} beside the key tell them
 * apart. Class bytes stay between 10 and 240, also when inverted between 15 and 245: 1 and 254 are
 * free as bounds. Names of array elements are not kept.
 */
public final class IndexKeyV1 {
  static final int MIN_KEY = 10;
  static final int UNDEFINED = 15;
  static final int NULL = 20;
  static final int NAN = 30;
  static final int NEGATIVE = 31;
  static final int ZERO = 32;
  static final int POSITIVE = 33;
  static final int TEXT = 60;
  static final int DOCUMENT = 70;
  static final int ARRAY = 80;
  static final int BINARY = 90;
  static final int OBJECT_ID = 100;
  static final int FALSE = 110;
  static final int TRUE = 111;
  static final int DATE = 120;
  static final int TIMESTAMP = 130;
  static final int REGEX = 140;
  static final int DB_POINTER = 150;
  static final int CODE = 160;
  static final int CODE_WITH_SCOPE = 170;
  static final int MAX_KEY = 240;

  static final int LOW = 1;
  static final int HIGH = 254;

  /** Ends documents and arrays; below every class. */
  static final int END = 0;

  static final int GROUPS = 9;
  static final int LONG_BINARY = 0xFF;

  private IndexKeyV1() {}

  /** The lowest class byte of values of this type. */
  static int firstClass(byte type) {
    return switch (type) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 -> NAN;
      case ElementType.STRING, ElementType.SYMBOL -> TEXT;
      case ElementType.OBJECT_ID -> OBJECT_ID;
      case ElementType.DATE -> DATE;
      case ElementType.NULL -> NULL;
      case ElementType.BOOLEAN -> FALSE;
      case ElementType.DOCUMENT -> DOCUMENT;
      case ElementType.ARRAY -> ARRAY;
      case ElementType.BINARY -> BINARY;
      case ElementType.TIMESTAMP -> TIMESTAMP;
      case ElementType.UNDEFINED -> UNDEFINED;
      case ElementType.REGEX -> REGEX;
      case ElementType.DB_POINTER -> DB_POINTER;
      case ElementType.CODE -> CODE;
      case ElementType.CODE_WITH_SCOPE -> CODE_WITH_SCOPE;
      case ElementType.MIN_KEY -> MIN_KEY;
      case ElementType.MAX_KEY -> MAX_KEY;
      default -> throw new IllegalArgumentException("unknown BSON type " + type);
    };
  }

  static int lastClass(byte type) {
    int first = firstClass(type);
    return first == NAN ? POSITIVE : first == FALSE ? TRUE : first;
  }

  /**
   * The values of a key, with their exact types.
   *
   * @param offset where the first field begins, behind any prefix; bytes after the last field are
   *     ignored
   * @param descending one entry for each field
   * @return one value for each field; they share one array
   */
  public static RawValue[] decode(
      byte[] key,
      int offset,
      int length,
      byte[] typeBits,
      int typeBitsOffset,
      int typeBitsLength,
      boolean[] descending) {
    var reader = new KeyReader(key, offset, offset + length);
    var decoder =
        new KeyDecoder(reader, new TypeBits.Reader(typeBits, typeBitsOffset, typeBitsLength));
    return decoder.decode(descending);
  }

  /** The integer, or the binary of eight bytes, that a field is known to hold. */
  public static long int64(byte[] key, int offset, int length, boolean descending) {
    var reader = new KeyReader(key, offset, offset + length);
    reader.descending(descending);
    return reader.int64Value();
  }

  /** The number that a field is known to hold, without what a double has no room for. */
  public static double number(byte[] key, int offset, int length, boolean descending) {
    var reader = new KeyReader(key, offset, offset + length);
    reader.descending(descending);
    return reader.doubleValue();
  }

  /** Where the field that begins at {@code offset} ends. */
  public static int fieldEnd(byte[] key, int offset, int length, boolean descending) {
    var reader = new KeyReader(key, offset, offset + length);
    reader.descending(descending);
    reader.skipValue();
    return reader.position();
  }

  /**
   * The first key after all keys that begin with these bytes: an inclusive upper bound turned into
   * an exclusive one, or an exclusive lower bound into an inclusive one. Null where there is none,
   * because all the bytes are FF.
   */
  public static byte[] successor(byte[] bytes, int length) {
    int last = length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] successor = Arrays.copyOf(bytes, last + 1);
    successor[last]++;
    return successor;
  }

  /** Writes keys one after the other into the same arrays. Belongs to one thread. */
  public static final class Encoder {
    private final KeyBuffer key = new KeyBuffer(64);
    private final TypeBits.Writer typeBits = new TypeBits.Writer();
    private final KeyValueEncoder values = new KeyValueEncoder(key, typeBits);

    /** Starts the next key. */
    public Encoder reset() {
      key.truncate(0);
      typeBits.reset();
      return this;
    }

    /** Four bytes, big endian, as they are: the prefix of all keys of an index. */
    public Encoder appendIdent(int ident) {
      key.putInt32(ident);
      return this;
    }

    /** Bytes as they are: a prefix, or a suffix such as a record's number. */
    public Encoder appendBytes(byte[] bytes, int offset, int length) {
      key.put(bytes, offset, length);
      return this;
    }

    /** Eight bytes, big endian, as they are. */
    public Encoder appendInt64(long value) {
      key.putInt64(value);
      return this;
    }

    public Encoder append(RawValue value, boolean descending) {
      return append(value.type(), value.bytes(), value.offset(), descending);
    }

    /** Appends a field from a value that lies at {@code offset}. */
    public Encoder append(byte type, byte[] bytes, int offset, boolean descending) {
      int start = key.length();
      values.append(type, bytes, offset);
      return end(start, descending);
    }

    /** A bound before everything that this field may hold, whatever its direction. */
    public Encoder appendLow() {
      key.put(LOW);
      return this;
    }

    /** A bound after everything that this field may hold, whatever its direction. */
    public Encoder appendHigh() {
      key.put(HIGH);
      return this;
    }

    /**
     * A bound in front of all values that compare by value with this type (all numbers, say). Keys
     * of the other end of the order come first in a descending field.
     */
    public Encoder appendBracketStart(byte type, boolean descending) {
      key.put(descending ? ~lastClass(type) : firstClass(type));
      return this;
    }

    /** A bound behind all values that compare by value with this type. */
    public Encoder appendBracketEnd(byte type, boolean descending) {
      key.put((descending ? ~firstClass(type) : lastClass(type)) + 1);
      return this;
    }

    /**
     * The beginning of the keys of all strings that begin with these bytes: with {@link
     * #toSuccessor()} it bounds a prefix search.
     */
    public Encoder appendStringPrefix(byte[] utf8, boolean descending) {
      int start = key.length();
      key.put(TEXT);
      values.appendText(utf8, 0, utf8.length);
      key.truncate(key.length() - 1);
      return end(start, descending);
    }

    private Encoder end(int start, boolean descending) {
      if (descending) {
        key.invertFrom(start);
      }
      return this;
    }

    /** The array that holds the key; it changes when the encoder grows. */
    public byte[] bytes() {
      return key.bytes();
    }

    public int length() {
      return key.length();
    }

    /** Takes back the bytes after {@code length}. Only for prefixes and bounds: not type bits. */
    public Encoder truncate(int length) {
      key.truncate(length);
      return this;
    }

    public byte[] toByteArray() {
      return key.toByteArray();
    }

    /** See {@link IndexKeyV1#successor}. */
    public byte[] toSuccessor() {
      return successor(key.bytes(), key.length());
    }

    /** The array that holds the type bits; it changes when the encoder grows. */
    public byte[] typeBits() {
      return typeBits.buffer().bytes();
    }

    /** Zero where the key alone tells all types. */
    public int typeBitsLength() {
      return typeBits.buffer().length();
    }

    public byte[] typeBitsToByteArray() {
      return typeBits.buffer().toByteArray();
    }
  }
}
