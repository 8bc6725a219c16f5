package dev.wisent.query.key;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The number that a hashed index has for a value. It is MongoDB's, to the bit, so that a shard key
 * falls into the same chunk: the first eight bytes of an MD5 over a seed, the rank of the type and
 * the bytes of the value. Numbers of all types are cut to an int64 first.
 */
public final class HashedValue {
  private static final int SEED = 0;

  /** What ends a document: an element of rank zero, without name or value. */
  private static final int END_RANK = 0;

  private final MessageDigest md5;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private HashedValue() {
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
    addInt(SEED);
  }

  public static long of(RawValue value) {
    var hash = new HashedValue();
    hash.addInt(ElementType.rank(value.type()));
    hash.add(value);
    return ByteBuffer.wrap(hash.md5.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private void add(RawValue value) {
    switch (value.type()) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          addLong(value.toLong());
      case ElementType.DOCUMENT, ElementType.ARRAY -> addElements(value.elements());
      case ElementType.CODE_WITH_SCOPE -> addCodeWithScope(value);
      default -> md5.update(value.bytes(), value.offset(), value.length());
    }
  }

  private void addElements(ElementCursor elements) {
    while (elements.next()) {
      addInt(ElementType.rank(elements.type()));
      // The zero byte behind the name is a part of it.
      md5.update(elements.bytes(), elements.nameOffset(), elements.nameLength() + 1);
      add(elements.value());
    }
    addInt(END_RANK);
  }

  private void addCodeWithScope(RawValue value) {
    ByteBuffer bytes = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    int codeStart = value.offset() + 2 * Integer.BYTES;
    int codeLength = bytes.getInt(value.offset() + Integer.BYTES);
    md5.update(value.bytes(), codeStart, codeLength);
    int scope = codeStart + codeLength;
    addElements(
        new RawValue(ElementType.DOCUMENT, value.bytes(), scope, bytes.getInt(scope)).elements());
  }

  private void addInt(int value) {
    number.putInt(0, value);
    md5.update(number.array(), 0, Integer.BYTES);
  }

  private void addLong(long value) {
    number.putLong(0, value);
    md5.update(number.array(), 0, Long.BYTES);
  }
}
