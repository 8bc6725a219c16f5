package dev.wisent.bson;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * One value as a slice of a byte array, with its type. The accessors expect the type they name;
 * they do not convert unless they say so.
 */
public final class RawValue {
  private static final byte[] NO_BYTES = {};
  private static final byte UUID_SUBTYPE = 4;
  private static final int UUID_BYTES = 16;

  /** The length and the subtype, which stand before the content of a binary. */
  private static final int BINARY_HEADER_BYTES = 5;

  public static final RawValue NULL = new RawValue(ElementType.NULL, NO_BYTES, 0, 0);
  public static final RawValue UNDEFINED = new RawValue(ElementType.UNDEFINED, NO_BYTES, 0, 0);
  public static final RawValue MIN_KEY = new RawValue(ElementType.MIN_KEY, NO_BYTES, 0, 0);
  public static final RawValue MAX_KEY = new RawValue(ElementType.MAX_KEY, NO_BYTES, 0, 0);
  public static final RawValue TRUE = new RawValue(ElementType.BOOLEAN, new byte[] {1}, 0, 1);
  public static final RawValue FALSE = new RawValue(ElementType.BOOLEAN, new byte[] {0}, 0, 1);

  private final byte type;
  private final byte[] bytes;
  private final int offset;
  private final int length;

  public RawValue(byte type, byte[] bytes, int offset, int length) {
    this.type = type;
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  public static RawValue ofInt32(int value) {
    byte[] b = new byte[4];
    LittleEndian.putInt32(b, 0, value);
    return new RawValue(ElementType.INT32, b, 0, 4);
  }

  public static RawValue ofInt64(long value) {
    return ofEightBytes(ElementType.INT64, value);
  }

  public static RawValue ofDouble(double value) {
    return ofEightBytes(ElementType.DOUBLE, Double.doubleToRawLongBits(value));
  }

  public static RawValue ofDate(long epochMillis) {
    return ofEightBytes(ElementType.DATE, epochMillis);
  }

  /** Seconds in the high half, increment in the low half. */
  public static RawValue ofTimestamp(long value) {
    return ofEightBytes(ElementType.TIMESTAMP, value);
  }

  public static RawValue ofBoolean(boolean value) {
    return value ? TRUE : FALSE;
  }

  public static RawValue ofString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    byte[] b = new byte[utf8.length + 5];
    LittleEndian.putInt32(b, 0, utf8.length + 1);
    System.arraycopy(utf8, 0, b, 4, utf8.length);
    return new RawValue(ElementType.STRING, b, 0, b.length);
  }

  public static RawValue ofObjectId(ObjectId value) {
    return new RawValue(ElementType.OBJECT_ID, value.toByteArray(), 0, 12);
  }

  public static RawValue ofDecimal128(Decimal128 value) {
    byte[] b = new byte[16];
    LittleEndian.putInt64(b, 0, value.getLow());
    LittleEndian.putInt64(b, 8, value.getHigh());
    return new RawValue(ElementType.DECIMAL128, b, 0, 16);
  }

  /** A UUID as a binary of subtype 4. */
  public static RawValue ofUuid(UUID value) {
    byte[] b = new byte[BINARY_HEADER_BYTES + UUID_BYTES];
    LittleEndian.putInt32(b, 0, UUID_BYTES);
    b[4] = UUID_SUBTYPE;
    int start = BINARY_HEADER_BYTES;
    LittleEndian.putInt64(b, start, Long.reverseBytes(value.getMostSignificantBits()));
    LittleEndian.putInt64(b, start + 8, Long.reverseBytes(value.getLeastSignificantBits()));
    return new RawValue(ElementType.BINARY, b, 0, b.length);
  }

  public static RawValue ofDocument(RawDocument value) {
    return new RawValue(ElementType.DOCUMENT, value.bytes(), value.offset(), value.length());
  }

  public static RawValue ofArray(RawDocument value) {
    return new RawValue(ElementType.ARRAY, value.bytes(), value.offset(), value.length());
  }

  public static RawValue of(BsonValue value) {
    return RawDocument.of(new BsonDocument("", value)).get("");
  }

  private static RawValue ofEightBytes(byte type, long bits) {
    byte[] b = new byte[8];
    LittleEndian.putInt64(b, 0, bits);
    return new RawValue(type, b, 0, 8);
  }

  /**
   * By type: how many bytes a value takes; or, negative, how many more than the number that it
   * begins with, less one. A table is better to predict than a switch, and this is asked for every
   * element that is stepped over.
   */
  private static final byte[] LENGTHS = new byte[256];

  private static final byte UNKNOWN = Byte.MIN_VALUE;

  static {
    for (int type = 0; type < LENGTHS.length; type++) {
      LENGTHS[type] =
          switch ((byte) type) {
            case ElementType.DOUBLE, ElementType.DATE, ElementType.TIMESTAMP, ElementType.INT64 ->
                8;
            case ElementType.INT32 -> 4;
            case ElementType.OBJECT_ID -> 12;
            case ElementType.BOOLEAN -> 1;
            case ElementType.DECIMAL128 -> 16;
            case ElementType.NULL,
                ElementType.UNDEFINED,
                ElementType.MIN_KEY,
                ElementType.MAX_KEY ->
                0;
            case ElementType.DOCUMENT, ElementType.ARRAY, ElementType.CODE_WITH_SCOPE -> -1;
            case ElementType.STRING, ElementType.SYMBOL, ElementType.CODE -> -5;
            case ElementType.BINARY -> -6;
            case ElementType.DB_POINTER -> -17;
            default -> UNKNOWN;
          };
    }
  }

  /** Bytes that a value of this type takes, its bytes beginning at {@code offset}. */
  public static int lengthAt(byte type, byte[] bytes, int offset) {
    int length = LENGTHS[type & 0xFF];
    if (length >= 0) {
      return length;
    }
    if (length != UNKNOWN) {
      return LittleEndian.int32(bytes, offset) - length - 1;
    }
    if (type == ElementType.REGEX) {
      return CString.end(bytes, CString.end(bytes, offset) + 1) + 1 - offset;
    }
    throw new IllegalArgumentException("unknown BSON type " + type);
  }

  public byte type() {
    return type;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  public boolean isNumber() {
    return ElementType.isNumber(type);
  }

  public boolean isNullish() {
    return type == ElementType.NULL || type == ElementType.UNDEFINED;
  }

  public boolean isDocument() {
    return type == ElementType.DOCUMENT;
  }

  public boolean isArray() {
    return type == ElementType.ARRAY;
  }

  public boolean isString() {
    return type == ElementType.STRING;
  }

  /** Whether it is a binary of the subtype for UUIDs and as long as a UUID. */
  public boolean isUuid() {
    return type == ElementType.BINARY
        && binarySubtype() == UUID_SUBTYPE
        && length == BINARY_HEADER_BYTES + UUID_BYTES;
  }

  public int asInt32() {
    return LittleEndian.int32(bytes, offset);
  }

  /** The eight bytes of an int64, date or timestamp. */
  public long asInt64() {
    return LittleEndian.int64(bytes, offset);
  }

  public double asDouble() {
    return Double.longBitsToDouble(LittleEndian.int64(bytes, offset));
  }

  public boolean asBoolean() {
    return bytes[offset] != 0;
  }

  /** Text of a string, symbol or code. */
  public String asString() {
    return new String(
        bytes, offset + 4, LittleEndian.int32(bytes, offset) - 1, StandardCharsets.UTF_8);
  }

  public ObjectId asObjectId() {
    return new ObjectId(Arrays.copyOfRange(bytes, offset, offset + 12));
  }

  public Decimal128 asDecimal128() {
    return Decimal128.fromIEEE754BIDEncoding(
        LittleEndian.int64(bytes, offset + 8), LittleEndian.int64(bytes, offset));
  }

  /** The UUID that {@link #isUuid()} has found. */
  public UUID asUuid() {
    int start = offset + BINARY_HEADER_BYTES;
    return new UUID(
        Long.reverseBytes(LittleEndian.int64(bytes, start)),
        Long.reverseBytes(LittleEndian.int64(bytes, start + 8)));
  }

  /** From 0 to 255. */
  public int binarySubtype() {
    return Byte.toUnsignedInt(bytes[offset + 4]);
  }

  /** A copy of the content of a binary, without its length and subtype. */
  public byte[] asBinary() {
    return Arrays.copyOfRange(bytes, offset + BINARY_HEADER_BYTES, offset + length);
  }

  /** The document or array. */
  public RawDocument asDocument() {
    return new RawDocument(bytes, offset, length);
  }

  /** Elements of a document or array. */
  public ElementCursor elements() {
    return new ElementCursor(bytes, offset);
  }

  public String regexPattern() {
    return cstring(offset);
  }

  public String regexOptions() {
    return cstring(CString.end(bytes, offset) + 1);
  }

  private String cstring(int start) {
    int end = CString.end(bytes, start);
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /** Any number as a long, cut towards zero and to the range of long; NaN is 0. */
  public long toLong() {
    return switch (type) {
      case ElementType.INT32 -> asInt32();
      case ElementType.INT64 -> asInt64();
      case ElementType.DOUBLE -> (long) asDouble();
      case ElementType.DECIMAL128 -> decimalToLong();
      default -> throw new IllegalStateException("not a number: " + ElementType.alias(type));
    };
  }

  private long decimalToLong() {
    Decimal128 decimal = asDecimal128();
    if (decimal.isNaN()) {
      return 0;
    }
    if (decimal.isInfinite()) {
      return decimal.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    double rough = decimal.doubleValue();
    if (Math.abs(rough) < 1e18) {
      // Negative zero has no BigDecimal; the quick test also keeps huge exponents out of it.
      return rough == 0 ? 0 : decimal.bigDecimalValue().longValue();
    }
    BigDecimal exact = Math.abs(rough) < 1e20 ? decimal.bigDecimalValue() : null;
    if (exact != null
        && exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
        && exact.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0) {
      return exact.longValue();
    }
    return decimal.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** Any number as a double, rounded. */
  public double toDouble() {
    return switch (type) {
      case ElementType.INT32 -> asInt32();
      case ElementType.INT64 -> asInt64();
      case ElementType.DOUBLE -> asDouble();
      case ElementType.DECIMAL128 -> asDecimal128().doubleValue();
      default -> throw new IllegalStateException("not a number: " + ElementType.alias(type));
    };
  }

  /** Truth as commands and {@code $exists} see it: false, zero, null and undefined are false. */
  public boolean isTruthy() {
    return switch (type) {
      case ElementType.BOOLEAN -> asBoolean();
      case ElementType.NULL, ElementType.UNDEFINED -> false;
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          ValueOrder.compare(this, ZERO) != 0;
      default -> true;
    };
  }

  private static final RawValue ZERO = ofInt32(0);

  /** A value over its own array, so that a large network buffer is not kept alive. */
  public RawValue detached() {
    return offset == 0 && length == bytes.length
        ? this
        : new RawValue(type, Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
  }

  /** A value over an array of its own, which nothing else writes to. */
  public RawValue copied() {
    return new RawValue(type, Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
  }

  public BsonValue toBsonValue() {
    return new BsonBuilder(length + 8).append("", this).toDocument().toBsonDocument().get("");
  }

  /** Same type and bytes. For equality as queries see it, use {@link ValueOrder}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RawValue that
        && type == that.type
        && Arrays.equals(
            bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = type;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return toBsonValue().toString();
  }
}
