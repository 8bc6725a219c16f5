package dev.wisent.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks the elements of one document or array in place. Start with {@link #next()}; the accessors
 * describe the element it moved to.
 */
public final class ElementCursor {
  private final byte[] bytes;
  private int position;
  private byte type;
  private int nameOffset;
  private int nameLength;
  private int valueOffset;
  private int valueLength;

  ElementCursor(byte[] bytes, int documentOffset) {
    this.bytes = bytes;
    this.position = documentOffset + 4;
  }

  /** Moves to the next element; false at the end. */
  public boolean next() {
    byte t = bytes[position];
    if (t == 0) {
      return false;
    }
    type = t;
    nameOffset = position + 1;
    int end = CString.end(bytes, nameOffset);
    nameLength = end - nameOffset;
    valueOffset = end + 1;
    valueLength = RawValue.lengthAt(t, bytes, valueOffset);
    position = valueOffset + valueLength;
    return true;
  }

  public byte type() {
    return type;
  }

  public String name() {
    return new String(bytes, nameOffset, nameLength, StandardCharsets.UTF_8);
  }

  public byte[] nameBytes() {
    return Arrays.copyOfRange(bytes, nameOffset, nameOffset + nameLength);
  }

  public int nameOffset() {
    return nameOffset;
  }

  public int nameLength() {
    return nameLength;
  }

  /** Compares the name with UTF-8 bytes, without decoding it. */
  public boolean nameEquals(byte[] utf8) {
    return nameLength == utf8.length
        && Arrays.equals(bytes, nameOffset, nameOffset + nameLength, utf8, 0, utf8.length);
  }

  public boolean nameStartsWith(char ascii) {
    return nameLength > 0 && bytes[nameOffset] == ascii;
  }

  public RawValue value() {
    return new RawValue(type, bytes, valueOffset, valueLength);
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Where the element (type byte, name, value) begins in {@link #bytes()}. */
  public int elementOffset() {
    return nameOffset - 1;
  }

  public int elementLength() {
    return valueOffset + valueLength - nameOffset + 1;
  }

  public int valueOffset() {
    return valueOffset;
  }

  public int valueLength() {
    return valueLength;
  }
}
