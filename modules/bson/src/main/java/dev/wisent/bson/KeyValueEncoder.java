package dev.wisent.bson;

/** Writes values of all types into keys. See {@link IndexKeyV1} for the layout. */
final class KeyValueEncoder {
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final KeyBuffer key;
  private final TypeBits.Writer typeBits;
  private final KeyNumberEncoder numbers;

  KeyValueEncoder(KeyBuffer key, TypeBits.Writer typeBits) {
    this.key = key;
    this.typeBits = typeBits;
    this.numbers = new KeyNumberEncoder(key, typeBits);
  }

  void append(byte type, byte[] bytes, int offset) {
    if (ElementType.isNumber(type)) {
      numbers.append(type, bytes, offset);
    } else if (type == ElementType.BOOLEAN) {
      key.put(bytes[offset] != 0 ? IndexKeyV1.TRUE : IndexKeyV1.FALSE);
    } else {
      key.put(IndexKeyV1.firstClass(type));
      appendBody(type, bytes, offset);
    }
  }

  private void appendBody(byte type, byte[] bytes, int offset) {
    switch (type) {
      case ElementType.STRING -> {
        typeBits.guess();
        appendString(bytes, offset);
      }
      case ElementType.SYMBOL -> {
        typeBits.put(TypeBits.SYMBOL);
        appendString(bytes, offset);
      }
      case ElementType.CODE -> appendString(bytes, offset);
      case ElementType.OBJECT_ID -> key.put(bytes, offset, 12);
      case ElementType.DATE -> key.putInt64(LittleEndian.int64(bytes, offset) ^ Long.MIN_VALUE);
      case ElementType.TIMESTAMP -> key.putInt64(LittleEndian.int64(bytes, offset));
      case ElementType.DOCUMENT -> appendElements(bytes, offset, true);
      case ElementType.ARRAY -> appendElements(bytes, offset, false);
      case ElementType.BINARY -> appendBinary(bytes, offset);
      case ElementType.REGEX ->
          key.put(bytes, offset, RawValue.lengthAt(ElementType.REGEX, bytes, offset));
      case ElementType.DB_POINTER -> {
        int length = LittleEndian.int32(bytes, offset) - 1;
        key.putInt32(length);
        key.put(bytes, offset + 4, length);
        key.put(bytes, offset + 5 + length, 12);
      }
      case ElementType.CODE_WITH_SCOPE -> {
        appendString(bytes, offset + 4);
        appendElements(bytes, offset + 8 + LittleEndian.int32(bytes, offset + 4), true);
      }
      default -> {} // the class says it all
    }
  }

  private void appendString(byte[] bytes, int offset) {
    appendText(bytes, offset + 4, offset + 3 + LittleEndian.int32(bytes, offset));
  }

  void appendText(byte[] bytes, int from, int to) {
    if (hasBytesToEscape(bytes, from, to)) {
      appendEscaped(bytes, from, to);
    } else {
      key.put(bytes, from, to - from);
    }
    key.put(0);
  }

  private static boolean hasBytesToEscape(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + 8 <= to; at += 8) {
      long word = LittleEndian.int64(bytes, at);
      // A borrow out of a byte shows that it is below 2.
      if (((word - 2 * LOW_BITS) & ~word & HIGH_BITS) != 0) {
        return true;
      }
    }
    for (; at < to; at++) {
      if ((bytes[at] & 0xFE) == 0) {
        return true;
      }
    }
    return false;
  }

  private void appendEscaped(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if ((bytes[i] & 0xFE) == 0) {
        key.put(1);
        key.put(bytes[i] + 1);
      } else {
        key.put(bytes[i]);
      }
    }
  }

  private void appendBinary(byte[] bytes, int offset) {
    int length = LittleEndian.int32(bytes, offset);
    if (length < IndexKeyV1.LONG_BINARY) {
      key.put(length);
    } else {
      key.put(IndexKeyV1.LONG_BINARY);
      key.putInt32(length);
    }
    key.put(bytes, offset + 4, 1 + length);
  }

  private void appendElements(byte[] bytes, int offset, boolean withNames) {
    int at = offset + 4;
    while (true) {
      byte type = bytes[at++];
      if (type == 0) {
        break;
      }
      int value = CString.end(bytes, at) + 1;
      if (withNames) {
        key.put(IndexKeyV1.firstClass(type));
        key.put(bytes, at, value - at);
        if (ElementType.isNumber(type) || type == ElementType.BOOLEAN) {
          append(type, bytes, value);
        } else {
          appendBody(type, bytes, value);
        }
      } else {
        append(type, bytes, value);
      }
      at = value + RawValue.lengthAt(type, bytes, value);
    }
    key.put(IndexKeyV1.END);
  }
}
