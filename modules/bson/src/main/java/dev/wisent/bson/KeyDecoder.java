package dev.wisent.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Turns keys back into values. See {@link IndexKeyV1} for the layout. */
final class KeyDecoder {
  private static final byte[] NO_NAME = {};

  private final KeyReader reader;
  private final TypeBits.Reader typeBits;
  private final BsonBuilder builder = new BsonBuilder(64);
  private final KeyNumberDecoder numbers;
  private byte[] text = new byte[32];
  private int textLength;

  KeyDecoder(KeyReader reader, TypeBits.Reader typeBits) {
    this.reader = reader;
    this.typeBits = typeBits;
    this.numbers = new KeyNumberDecoder(reader, typeBits, builder);
  }

  RawValue[] decode(boolean[] descending) {
    for (boolean each : descending) {
      reader.descending(each);
      append(reader.next(), NO_NAME);
    }
    var cursor = builder.toDocument().elements();
    var values = new RawValue[descending.length];
    for (int i = 0; cursor.next(); i++) {
      values[i] = cursor.value();
    }
    return values;
  }

  private void append(int first, byte[] name) {
    switch (first) {
      case IndexKeyV1.MIN_KEY -> name(ElementType.MIN_KEY, name);
      case IndexKeyV1.MAX_KEY -> name(ElementType.MAX_KEY, name);
      case IndexKeyV1.UNDEFINED -> name(ElementType.UNDEFINED, name);
      case IndexKeyV1.NULL -> name(ElementType.NULL, name);
      case IndexKeyV1.NAN, IndexKeyV1.NEGATIVE, IndexKeyV1.ZERO, IndexKeyV1.POSITIVE ->
          numbers.append(first, name);
      case IndexKeyV1.TEXT -> {
        boolean symbol = typeBits.next() == TypeBits.SYMBOL;
        name(symbol ? ElementType.SYMBOL : ElementType.STRING, name);
        putString();
      }
      case IndexKeyV1.CODE -> {
        name(ElementType.CODE, name);
        putString();
      }
      case IndexKeyV1.DOCUMENT -> {
        name(ElementType.DOCUMENT, name);
        appendDocument();
      }
      case IndexKeyV1.ARRAY -> {
        name(ElementType.ARRAY, name);
        appendArray();
      }
      case IndexKeyV1.FALSE, IndexKeyV1.TRUE ->
          name(ElementType.BOOLEAN, name).putInt8(first - IndexKeyV1.FALSE);
      case IndexKeyV1.DATE ->
          name(ElementType.DATE, name).putInt64(reader.int64() ^ Long.MIN_VALUE);
      case IndexKeyV1.TIMESTAMP -> name(ElementType.TIMESTAMP, name).putInt64(reader.int64());
      default -> appendOther(first, name);
    }
  }

  private void appendOther(int first, byte[] name) {
    switch (first) {
      case IndexKeyV1.OBJECT_ID -> {
        name(ElementType.OBJECT_ID, name);
        putRaw(12);
      }
      case IndexKeyV1.BINARY -> {
        int length = reader.binaryLength();
        name(ElementType.BINARY, name).putInt32(length);
        putRaw(1 + length);
      }
      case IndexKeyV1.REGEX -> {
        name(ElementType.REGEX, name);
        putCString();
        putCString();
      }
      case IndexKeyV1.DB_POINTER -> {
        int length = reader.int32();
        name(ElementType.DB_POINTER, name).putInt32(length + 1);
        putRaw(length);
        builder.putInt8(0);
        putRaw(12);
      }
      case IndexKeyV1.CODE_WITH_SCOPE -> {
        name(ElementType.CODE_WITH_SCOPE, name);
        int start = builder.position();
        builder.putInt32(0);
        putString();
        appendDocument();
        LittleEndian.putInt32(builder.bytes(), start, builder.position() - start);
      }
      default -> throw reader.damaged("unknown class " + first);
    }
  }

  private BsonBuilder name(byte type, byte[] name) {
    return builder.name(type, name, 0, name.length);
  }

  private void appendDocument() {
    builder.open();
    for (int first = reader.next(); first != IndexKeyV1.END; first = reader.next()) {
      readCString();
      byte[] name = Arrays.copyOf(text, textLength);
      boolean several = first == IndexKeyV1.NAN || first == IndexKeyV1.FALSE;
      append(several ? reader.next() : first, name);
    }
    builder.end();
  }

  private void appendArray() {
    builder.open();
    int index = 0;
    for (int first = reader.next(); first != IndexKeyV1.END; first = reader.next()) {
      append(first, Integer.toString(index++).getBytes(StandardCharsets.US_ASCII));
    }
    builder.end();
  }

  private void putRaw(int length) {
    reader.checkLeft(length);
    if (text.length < length) {
      text = new byte[length];
    }
    reader.copy(text, 0, length);
    builder.putBytes(text, 0, length);
  }

  /** Text of any kind, with its length before it and a zero after it. */
  private void putString() {
    textLength = 0;
    for (int b = reader.next(); b != 0; b = reader.next()) {
      putText(b == 1 ? reader.next() - 1 : b);
    }
    builder.putInt32(textLength + 1).putBytes(text, 0, textLength).putInt8(0);
  }

  private void putCString() {
    readCString();
    builder.putBytes(text, 0, textLength).putInt8(0);
  }

  private void readCString() {
    textLength = 0;
    for (int b = reader.next(); b != 0; b = reader.next()) {
      putText(b);
    }
  }

  private void putText(int b) {
    if (textLength == text.length) {
      text = Arrays.copyOf(text, textLength * 2);
    }
    text[textLength++] = (byte) b;
  }
}
