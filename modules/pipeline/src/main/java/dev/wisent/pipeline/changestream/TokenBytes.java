package dev.wisent.pipeline.changestream;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes values so that their bytes sort like the values: MongoDB's key strings, version 1, in
 * ascending order. Numbers with a fraction and decimals have bytes of their own.
 */
final class TokenBytes {
  static final int NULL = 0x14;
  static final int ZERO = 0x29;
  static final int OBJECT = 0x46;
  static final int BINARY = 0x5A;
  static final int FALSE = 0x6E;
  static final int TRUE = 0x6F;
  static final int TIMESTAMP = 0x82;
  static final int END = 0x04;

  private static final int MIN_KEY = 0x0A;
  private static final int UNDEFINED = 0x0F;
  private static final int NUMBER = 0x1E;
  private static final int NEGATIVE_LARGE = 0x1F;
  private static final int POSITIVE_SMALL = 0x2A;
  private static final int POSITIVE_LARGE = 0x33;
  private static final int STRING = 0x3C;
  private static final int ARRAY = 0x50;
  private static final int OBJECT_ID = 0x64;
  private static final int DATE = 0x78;
  private static final int REGEX = 0x8C;
  private static final int DB_POINTER = 0x96;
  private static final int CODE = 0xA0;
  private static final int CODE_WITH_SCOPE = 0xAA;
  private static final int MAX_KEY = 0xF0;

  private static final int LENGTH_BYTE_MAX = 0xFE;
  private static final double LARGE = 0x1p63;

  private byte[] bytes = new byte[128];
  private int length;

  byte[] toArray() {
    return Arrays.copyOf(bytes, length);
  }

  private void write(int value) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = (byte) value;
  }

  private void write(byte[] from, int offset, int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * length, length + count));
    }
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  private void writeAll(byte[] from) {
    write(from, 0, from.length);
  }

  TokenBytes type(int type) {
    write(type);
    return this;
  }

  TokenBytes timestamp(long value) {
    write(TIMESTAMP);
    return bits(value);
  }

  private TokenBytes bits(long value) {
    writeAll(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    return this;
  }

  /** A number without a fraction. */
  TokenBytes integer(long value) {
    if (value == Long.MIN_VALUE) {
      return large(value);
    }
    if (value == 0) {
      return type(ZERO);
    }
    return integerPart(Math.abs(value) << 1, value < 0);
  }

  /** The bits without leading zero bytes, behind a type that tells how many bytes there are. */
  private TokenBytes integerPart(long shifted, boolean negative) {
    int bytes = Long.BYTES - Long.numberOfLeadingZeros(shifted) / Byte.SIZE;
    write(negative ? ZERO - 1 - bytes : POSITIVE_SMALL + bytes);
    for (int i = bytes - 1; i >= 0; i--) {
      int part = (int) (shifted >>> (i * Byte.SIZE));
      write(negative ? ~part : part);
    }
    return this;
  }

  private TokenBytes large(double value) {
    write(value < 0 ? NEGATIVE_LARGE : POSITIVE_LARGE);
    return magnitude(value);
  }

  private TokenBytes magnitude(double value) {
    long bits = Double.doubleToLongBits(Math.abs(value));
    return bits(value < 0 ? ~bits : bits);
  }

  private TokenBytes number(double value) {
    double magnitude = Math.abs(value);
    if (Double.isNaN(value)) {
      return type(NUMBER);
    }
    if (magnitude >= LARGE) {
      return large(value);
    }
    if (value == Math.rint(value)) {
      return integer((long) value);
    }
    if (magnitude < 1) {
      write(value < 0 ? ZERO - 1 : POSITIVE_SMALL);
    } else {
      integerPart(((long) magnitude << 1) | 1, value < 0);
    }
    return magnitude(value);
  }

  TokenBytes string(String value) {
    write(STRING);
    return characters(value);
  }

  /** Ends with a zero; a zero among the characters is told apart by what follows it. */
  private TokenBytes characters(String value) {
    for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
      write(each);
      if (each == 0) {
        write(0xFF);
      }
    }
    write(0);
    return this;
  }

  private void binary(RawValue value) {
    byte[] content = value.asBinary();
    int count = content.length;
    write(BINARY);
    if (count <= LENGTH_BYTE_MAX) {
      write(count);
    } else {
      write(0xFF);
      writeAll(ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }
    write(value.binarySubtype());
    writeAll(content);
  }

  /** Begins a field of a document, which its value must follow. */
  TokenBytes field(int type, String name) {
    write(type);
    writeAll(name.getBytes(StandardCharsets.UTF_8));
    write(0);
    return this;
  }

  TokenBytes value(RawValue value) {
    switch (value.type()) {
      case ElementType.INT32 -> integer(value.asInt32());
      case ElementType.INT64 -> integer(value.asInt64());
      case ElementType.DOUBLE -> number(value.asDouble());
      case ElementType.DECIMAL128 -> {
        number(value.toDouble());
        write(value.bytes(), value.offset(), value.length());
      }
      case ElementType.STRING, ElementType.SYMBOL -> string(value.asString());
      case ElementType.DOCUMENT -> document(value.asDocument());
      case ElementType.ARRAY -> array(value.asDocument());
      case ElementType.BINARY -> binary(value);
      case ElementType.BOOLEAN -> type(value.asBoolean() ? TRUE : FALSE);
      case ElementType.DATE -> type(DATE).bits(value.asInt64() ^ Long.MIN_VALUE);
      case ElementType.TIMESTAMP -> timestamp(value.asInt64());
      default -> raw(value);
    }
    return this;
  }

  /** Types whose bytes are written as they are. */
  private void raw(RawValue value) {
    write(typeOf(value.type()));
    write(value.bytes(), value.offset(), value.length());
  }

  TokenBytes document(RawDocument document) {
    write(OBJECT);
    ElementCursor fields = document.elements();
    while (fields.next()) {
      field(typeOf(fields.type()), fields.name()).value(fields.value());
    }
    write(0);
    return this;
  }

  private TokenBytes array(RawDocument array) {
    write(ARRAY);
    ElementCursor elements = array.elements();
    while (elements.next()) {
      value(elements.value());
    }
    write(0);
    return this;
  }

  static int typeOf(byte type) {
    return switch (type) {
      case ElementType.MIN_KEY -> MIN_KEY;
      case ElementType.UNDEFINED -> UNDEFINED;
      case ElementType.NULL -> NULL;
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          NUMBER;
      case ElementType.STRING, ElementType.SYMBOL -> STRING;
      case ElementType.DOCUMENT -> OBJECT;
      case ElementType.ARRAY -> ARRAY;
      case ElementType.BINARY -> BINARY;
      case ElementType.OBJECT_ID -> OBJECT_ID;
      case ElementType.BOOLEAN -> FALSE;
      case ElementType.DATE -> DATE;
      case ElementType.TIMESTAMP -> TIMESTAMP;
      case ElementType.REGEX -> REGEX;
      case ElementType.DB_POINTER -> DB_POINTER;
      case ElementType.CODE -> CODE;
      case ElementType.CODE_WITH_SCOPE -> CODE_WITH_SCOPE;
      default -> MAX_KEY;
    };
  }
}
