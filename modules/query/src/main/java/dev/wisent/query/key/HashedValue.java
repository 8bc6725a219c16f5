package dev.wisent.query.key;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.Stream;
import org.bson.types.Decimal128;

/**
 * The number that a hashed index has for a value. It is MongoDB's, to the bit, so that a shard key
 * falls into the same chunk: the first eight bytes of an MD5 over a seed, the rank of the type and
 * the bytes of the value. Numbers become an int64 first: doubles are cut, but decimals are rounded,
 * a half to the even neighbour. So a double and a decimal that are equal may have different hashes.
 */
public final class HashedValue {
  private static final int SEED = 0;

  /** What ends a document: an element of rank zero, without name or value. */
  private static final int END_RANK = 0;

  /** Has the seed; never changed, only copied, which is cheaper than to look for the algorithm. */
  private static final MessageDigest SEEDED = seeded();

  private final MessageDigest md5;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private HashedValue() {
    try {
      md5 = (MessageDigest) SEEDED.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("MD5 of the Java platform can be copied", e);
    }
  }

  private static MessageDigest seeded() {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, SEED));
      return md5;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  public static long of(RawValue value) {
    var hash = new HashedValue();
    hash.addInt(ElementType.rank(value.type()));
    hash.add(value);
    return ByteBuffer.wrap(hash.md5.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /**
   * The hashes of all values that are equal to this one, whatever the types of their numbers; none
   * where these are inside of a document, and too many to tell.
   */
  public static List<Long> ofEqual(RawValue value) {
    if (value.isNumber()) {
      return Stream.of(value.toLong(), rounded(value))
          .distinct()
          .map(number -> of(RawValue.ofInt64(number)))
          .toList();
    }
    return hasAmbiguousNumber(value) ? List.of() : List.of(of(value));
  }

  private static boolean hasAmbiguousNumber(RawValue value) {
    if (value.isNumber()) {
      return value.toLong() != rounded(value);
    }
    if (!value.isDocument() && !value.isArray()) {
      // A scope is never compared by what its numbers are worth.
      return false;
    }
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (hasAmbiguousNumber(elements.value())) {
        return true;
      }
    }
    return false;
  }

  private static long rounded(RawValue number) {
    return switch (number.type()) {
      case ElementType.DOUBLE -> (long) Math.rint(number.asDouble());
      case ElementType.DECIMAL128 -> roundedDecimal(number);
      default -> number.toLong();
    };
  }

  private static long roundedDecimal(RawValue number) {
    Decimal128 decimal = number.asDecimal128();
    long cut = number.toLong();
    boolean whole =
        !decimal.isFinite()
            || cut == Long.MIN_VALUE
            || cut == Long.MAX_VALUE
            // Zeros, of which one has no BigDecimal, and what is next to nothing.
            || decimal.doubleValue() == 0;
    return whole ? cut : decimal.bigDecimalValue().setScale(0, RoundingMode.HALF_EVEN).longValue();
  }

  private void add(RawValue value) {
    switch (value.type()) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE -> addLong(value.toLong());
      case ElementType.DECIMAL128 -> addLong(roundedDecimal(value));
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
