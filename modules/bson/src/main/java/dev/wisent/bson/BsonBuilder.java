package dev.wisent.bson;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * Writes one document into a growable array. The outermost document is open from the start; nested
 * ones are opened and ended in pairs. The methods return the builder.
 */
public final class BsonBuilder {
  private static final int DEPTH_INITIAL = 8;
  private static final Growth DOUBLING = (length, needed) -> Math.max(length * 2, needed);

  /** How long the next array is when the present one is full. */
  @FunctionalInterface
  public interface Growth {
    /** At least {@code needed}. May block, and may throw to refuse. */
    int next(int length, int needed);
  }

  private final Growth growth;

  private byte[] bytes;
  private int position;
  private int[] starts = new int[DEPTH_INITIAL];
  private int depth;

  public BsonBuilder() {
    this(256);
  }

  public BsonBuilder(int capacity) {
    this(capacity, DOUBLING);
  }

  public BsonBuilder(int capacity, Growth growth) {
    this.growth = growth;
    bytes = new byte[Math.max(capacity, 16)];
    open();
  }

  /** Starts over, after {@code reserved} bytes that the caller fills in (a message header). */
  public void reset(int reserved) {
    depth = 0;
    position = 0;
    ensure(reserved);
    position = reserved;
    open();
  }

  public BsonBuilder appendInt32(String name, int value) {
    name(ElementType.INT32, name);
    return putInt32(value);
  }

  public BsonBuilder appendInt64(String name, long value) {
    name(ElementType.INT64, name);
    return putInt64(value);
  }

  public BsonBuilder appendDouble(String name, double value) {
    name(ElementType.DOUBLE, name);
    return putInt64(Double.doubleToRawLongBits(value));
  }

  public BsonBuilder appendBoolean(String name, boolean value) {
    name(ElementType.BOOLEAN, name);
    ensure(1);
    bytes[position++] = (byte) (value ? 1 : 0);
    return this;
  }

  public BsonBuilder appendString(String name, String value) {
    name(ElementType.STRING, name);
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    putInt32(utf8.length + 1);
    ensure(utf8.length + 1);
    System.arraycopy(utf8, 0, bytes, position, utf8.length);
    position += utf8.length;
    bytes[position++] = 0;
    return this;
  }

  public BsonBuilder appendDate(String name, long epochMillis) {
    name(ElementType.DATE, name);
    return putInt64(epochMillis);
  }

  /** Seconds in the high half, increment in the low half. */
  public BsonBuilder appendTimestamp(String name, long value) {
    name(ElementType.TIMESTAMP, name);
    return putInt64(value);
  }

  public BsonBuilder appendObjectId(String name, ObjectId value) {
    name(ElementType.OBJECT_ID, name);
    return putBytes(value.toByteArray(), 0, 12);
  }

  public BsonBuilder appendDecimal128(String name, Decimal128 value) {
    name(ElementType.DECIMAL128, name);
    putInt64(value.getLow());
    return putInt64(value.getHigh());
  }

  public BsonBuilder appendBinary(String name, byte subtype, byte[] value) {
    name(ElementType.BINARY, name);
    putInt32(value.length);
    ensure(1);
    bytes[position++] = subtype;
    return putBytes(value, 0, value.length);
  }

  /** A UUID, as a binary of subtype 4. */
  public BsonBuilder appendUuid(String name, UUID value) {
    return append(name, RawValue.ofUuid(value));
  }

  public BsonBuilder appendNull(String name) {
    name(ElementType.NULL, name);
    return this;
  }

  public BsonBuilder append(String name, RawValue value) {
    name(value.type(), name);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  public BsonBuilder append(byte[] utf8Name, RawValue value) {
    name(value.type(), utf8Name, 0, utf8Name.length);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  public BsonBuilder appendDocument(String name, RawDocument value) {
    name(ElementType.DOCUMENT, name);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  public BsonBuilder appendArray(String name, RawDocument value) {
    name(ElementType.ARRAY, name);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  /** Copies the cursor's current element: type, name and value. */
  public BsonBuilder appendElement(ElementCursor cursor) {
    return putBytes(cursor.bytes(), cursor.elementOffset(), cursor.elementLength());
  }

  /** Copies a value under the name that the cursor stands on. */
  public BsonBuilder appendUnderNameOf(ElementCursor cursor, RawValue value) {
    name(value.type(), cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  /** Copies all elements of a document into the one that is open. */
  public BsonBuilder appendAll(RawDocument document) {
    return putBytes(document.bytes(), document.offset() + 4, document.length() - 5);
  }

  /** An array element: its name is the decimal {@code index}. */
  public BsonBuilder append(int index, RawValue value) {
    indexName(value.type(), index);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  public BsonBuilder appendDocument(int index, RawDocument value) {
    indexName(ElementType.DOCUMENT, index);
    return putBytes(value.bytes(), value.offset(), value.length());
  }

  public BsonBuilder startDocument(String name) {
    name(ElementType.DOCUMENT, name);
    open();
    return this;
  }

  public BsonBuilder startDocument(byte[] utf8Name) {
    name(ElementType.DOCUMENT, utf8Name, 0, utf8Name.length);
    open();
    return this;
  }

  public BsonBuilder startArray(byte[] utf8Name) {
    name(ElementType.ARRAY, utf8Name, 0, utf8Name.length);
    open();
    return this;
  }

  public BsonBuilder startArray(String name) {
    name(ElementType.ARRAY, name);
    open();
    return this;
  }

  public BsonBuilder startDocument(int index) {
    indexName(ElementType.DOCUMENT, index);
    open();
    return this;
  }

  public BsonBuilder startArray(int index) {
    indexName(ElementType.ARRAY, index);
    open();
    return this;
  }

  /** Opens a nested document or array under the name that the cursor stands on. */
  public BsonBuilder startUnderNameOf(ElementCursor cursor, byte type) {
    name(type, cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
    open();
    return this;
  }

  /** Ends the innermost open document or array. */
  public BsonBuilder end() {
    ensure(1);
    bytes[position++] = 0;
    int start = starts[--depth];
    LittleEndian.putInt32(bytes, start, position - start);
    return this;
  }

  /** Ends the outermost document and returns it over its own, exactly sized array. */
  public RawDocument toDocument() {
    if (depth != 1) {
      throw new IllegalStateException("a nested document is still open");
    }
    int start = starts[0];
    end();
    return RawDocument.of(Arrays.copyOfRange(bytes, start, position));
  }

  /** The array that is written to; it changes when the builder grows. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes are written, reserved ones included. */
  public int position() {
    return position;
  }

  /** Takes back everything written after {@code position}, a value of {@link #position()}. */
  public void truncate(int position) {
    this.position = position;
  }

  /** As {@link #truncate}, to a place in the outermost document: nested ones are given up. */
  public void truncateToOutermost(int position) {
    this.position = position;
    depth = 1;
  }

  void open() {
    if (depth == starts.length) {
      starts = Arrays.copyOf(starts, depth * 2);
    }
    starts[depth++] = position;
    ensure(4);
    position += 4;
  }

  private void name(byte type, String name) {
    int length = name.length();
    ensure(2 + 3 * length);
    bytes[position++] = type;
    int at = position;
    for (int i = 0; i < length; i++) {
      char c = name.charAt(i);
      if (c == 0) {
        throw nameWithNull();
      }
      if (c >= 0x80) {
        if (name.indexOf(0, i) >= 0) {
          throw nameWithNull();
        }
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        position--;
        name(type, utf8, 0, utf8.length);
        return;
      }
      bytes[at++] = (byte) c;
    }
    bytes[at++] = 0;
    position = at;
  }

  private static CommandException nameWithNull() {
    return new CommandException(ErrorCode.BAD_VALUE, "Field names may not contain embedded nulls");
  }

  BsonBuilder name(byte type, byte[] name, int offset, int length) {
    ensure(2 + length);
    bytes[position++] = type;
    System.arraycopy(name, offset, bytes, position, length);
    position += length;
    bytes[position++] = 0;
    return this;
  }

  private void indexName(byte type, int index) {
    ensure(12);
    bytes[position++] = type;
    int digits = 1;
    for (int rest = index; rest >= 10; rest /= 10) {
      digits++;
    }
    int at = position + digits;
    position = at + 1;
    bytes[at] = 0;
    int rest = index;
    do {
      bytes[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
  }

  BsonBuilder putInt8(int value) {
    ensure(1);
    bytes[position++] = (byte) value;
    return this;
  }

  BsonBuilder putInt32(int value) {
    ensure(4);
    LittleEndian.putInt32(bytes, position, value);
    position += 4;
    return this;
  }

  BsonBuilder putInt64(long value) {
    ensure(8);
    LittleEndian.putInt64(bytes, position, value);
    position += 8;
    return this;
  }

  BsonBuilder putBytes(byte[] source, int offset, int length) {
    ensure(length);
    System.arraycopy(source, offset, bytes, position, length);
    position += length;
    return this;
  }

  private void ensure(int more) {
    if (bytes.length - position < more) {
      bytes = Arrays.copyOf(bytes, growth.next(bytes.length, position + more));
    }
  }
}
