package dev.wisent.query.expression;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;

/** Builds the array that is the value of an expression. */
public final class ArrayBuilder {
  /** Where MongoDB's buffers end; it keeps runaway expressions from eating the memory. */
  public static final int BYTES_MAX = Math.min(64 * 1024 * 1024, Limits.GATHERED_BYTES_MAX);

  private final BsonBuilder out;
  private int count;

  public ArrayBuilder() {
    this(64);
  }

  public ArrayBuilder(int bytes) {
    out = new BsonBuilder(bytes);
  }

  /** A missing value becomes null. */
  public ArrayBuilder add(RawValue value) {
    RawValue present = Values.nullIfMissing(value);
    checkSize((long) out.position() + present.length());
    out.append(count++, present);
    return this;
  }

  public ArrayBuilder addAll(RawValue array) {
    ElementCursor elements = array.elements();
    while (elements.next()) {
      add(elements.value());
    }
    return this;
  }

  public int count() {
    return count;
  }

  public RawValue build() {
    return RawValue.ofArray(out.toDocument());
  }

  /** Refuses values that no document could hold anyway. */
  public static void checkSize(long bytes) {
    if (bytes > BYTES_MAX) {
      throw new CommandException(
          ErrorCode.BUFFER_TOO_LARGE,
          "BufBuilder attempted to grow() to "
              + bytes
              + " bytes, past the "
              + (BYTES_MAX >> 20)
              + "MB limit.");
    }
  }

  public static RawValue of(Iterable<RawValue> values) {
    var array = new ArrayBuilder();
    values.forEach(array::add);
    return array.build();
  }

  /** The elements of an array one by one. */
  public static RawValue[] elements(RawValue array) {
    var elements = new RawValue[array.asDocument().fieldCount()];
    ElementCursor cursor = array.elements();
    for (int i = 0; cursor.next(); i++) {
      elements[i] = cursor.value();
    }
    return elements;
  }
}
