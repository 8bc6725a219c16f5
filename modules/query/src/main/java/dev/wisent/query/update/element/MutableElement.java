package dev.wisent.query.update.element;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One field of a {@link MutableDocument}. It is either a field of the underlying bytes, in which
 * case it leaves no trace until it is changed, or an appended one. A run of nulls that pads an
 * array is one element that stands for many.
 */
public final class MutableElement {
  private final MutableDocument owner;

  // Where the element lies in the owner's bytes; an appended element has no such place.
  private final int baseStart;
  private final int baseEnd;

  private final byte[] nameBytes;
  private final int nameOffset;
  private final int nameLength;

  private RawValue value;
  private MutableDocument nested;
  private boolean removed;
  private boolean recorded;
  private int nullRun;

  /** A field of the owner's underlying bytes. */
  MutableElement(MutableDocument owner, ElementCursor cursor) {
    this.owner = owner;
    this.baseStart = cursor.elementOffset();
    this.baseEnd = cursor.elementOffset() + cursor.elementLength();
    this.nameBytes = cursor.bytes();
    this.nameOffset = cursor.nameOffset();
    this.nameLength = cursor.nameLength();
    this.value = cursor.value();
  }

  /** An appended field. */
  MutableElement(MutableDocument owner, byte[] name, RawValue value, int nullRun) {
    this.owner = owner;
    this.baseStart = -1;
    this.baseEnd = -1;
    this.nameBytes = name;
    this.nameOffset = 0;
    this.nameLength = name.length;
    this.value = value;
    this.recorded = true;
    this.nullRun = nullRun;
  }

  public byte type() {
    return value.type();
  }

  public String name() {
    return new String(nameBytes, nameOffset, nameLength, StandardCharsets.UTF_8);
  }

  /** The value with all changes made inside it. */
  public RawValue value() {
    if (nested == null) {
      return value;
    }
    var document = nested.encode();
    return nested.isArray() ? RawValue.ofArray(document) : RawValue.ofDocument(document);
  }

  public void set(RawValue newValue) {
    value = newValue;
    nested = null;
    record();
  }

  public void remove() {
    removed = true;
    record();
  }

  /** The document or array inside this field, open for changes. */
  public MutableDocument open() {
    if (nested == null) {
      nested = new MutableDocument(value.asDocument(), value.type() == ElementType.ARRAY);
      record();
    }
    return nested;
  }

  boolean isRemoved() {
    return removed;
  }

  /** How many array positions the element takes. */
  int positions() {
    return Math.max(nullRun, 1);
  }

  int baseStart() {
    return baseStart;
  }

  int baseEnd() {
    return baseEnd;
  }

  boolean nameEquals(byte[] utf8) {
    return Arrays.equals(nameBytes, nameOffset, nameOffset + nameLength, utf8, 0, utf8.length);
  }

  private void record() {
    if (!recorded) {
      recorded = true;
      owner.recordEdit(this);
    }
  }

  /** Bytes that the element takes; {@code index} is its position in an array, for its name. */
  int encodedLength(int index) {
    if (removed) {
      return 0;
    }
    if (nullRun > 0) {
      return ArrayIndexes.nullRunLength(index, nullRun);
    }
    return 2 + nameLength + (nested == null ? value.length() : nested.encodedLength());
  }

  /** Writes the element and returns where the next one begins. */
  int writeTo(byte[] out, int at, int index) {
    if (removed) {
      return at;
    }
    if (nullRun > 0) {
      return ArrayIndexes.writeNullRun(out, at, index, nullRun);
    }
    int position = at;
    out[position++] = value.type();
    System.arraycopy(nameBytes, nameOffset, out, position, nameLength);
    position += nameLength;
    out[position++] = 0;
    if (nested != null) {
      return nested.writeTo(out, position);
    }
    System.arraycopy(value.bytes(), value.offset(), out, position, value.length());
    return position + value.length();
  }
}
