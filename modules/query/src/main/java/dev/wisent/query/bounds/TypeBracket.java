package dev.wisent.query.bounds;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;
import org.bson.types.ObjectId;

/**
 * All values that compare with those of one type. The ends are the values that MongoDB's explain
 * shows: where a type has no last value, the first one of the next type, which is not included.
 */
public final class TypeBracket {
  private static final RawValue NAN = RawValue.ofDouble(Double.NaN);
  private static final RawValue EMPTY_STRING = RawValue.ofString("");
  private static final RawValue EMPTY_DOCUMENT = RawValue.ofDocument(RawDocument.EMPTY);
  private static final RawValue EMPTY_ARRAY = RawValue.ofArray(RawDocument.EMPTY);
  private static final RawValue EMPTY_BINARY = new RawValue(ElementType.BINARY, new byte[5], 0, 5);
  private static final RawValue LEAST_OBJECT_ID =
      new RawValue(ElementType.OBJECT_ID, new byte[12], 0, 12);
  private static final RawValue EMPTY_REGEX = new RawValue(ElementType.REGEX, new byte[2], 0, 2);

  /** The length of an empty namespace with its zero, that zero, and an ObjectId. */
  private static final RawValue LEAST_DB_POINTER =
      new RawValue(ElementType.DB_POINTER, lengthThenZeros(1, 17), 0, 17);

  private static final RawValue EMPTY_CODE =
      new RawValue(ElementType.CODE, lengthThenZeros(1, 5), 0, 5);

  /** The whole length, an empty string and an empty document. */
  private static final RawValue EMPTY_CODE_WITH_SCOPE =
      new RawValue(
          ElementType.CODE_WITH_SCOPE,
          new byte[] {14, 0, 0, 0, 1, 0, 0, 0, 0, 5, 0, 0, 0, 0},
          0,
          14);

  /** What has strings in it or may have: those, documents and arrays. */
  public static final List<Interval> COLLATED = List.of(upTo(EMPTY_STRING, EMPTY_BINARY));

  private TypeBracket() {}

  private static byte[] lengthThenZeros(int length, int total) {
    byte[] bytes = new byte[total];
    bytes[0] = (byte) length;
    return bytes;
  }

  static Interval of(byte type) {
    return switch (type) {
      case ElementType.INT32, ElementType.INT64, ElementType.DOUBLE, ElementType.DECIMAL128 ->
          closed(NAN, RawValue.ofDouble(Double.POSITIVE_INFINITY));
      case ElementType.STRING, ElementType.SYMBOL -> upTo(EMPTY_STRING, EMPTY_DOCUMENT);
      case ElementType.DOCUMENT -> upTo(EMPTY_DOCUMENT, EMPTY_ARRAY);
      case ElementType.ARRAY -> upTo(EMPTY_ARRAY, EMPTY_BINARY);
      case ElementType.BINARY -> upTo(EMPTY_BINARY, LEAST_OBJECT_ID);
      case ElementType.OBJECT_ID ->
          closed(LEAST_OBJECT_ID, RawValue.ofObjectId(new ObjectId("f".repeat(24))));
      case ElementType.BOOLEAN -> closed(RawValue.FALSE, RawValue.TRUE);
      case ElementType.DATE ->
          closed(RawValue.ofDate(Long.MIN_VALUE), RawValue.ofDate(Long.MAX_VALUE));
      case ElementType.TIMESTAMP -> closed(RawValue.ofTimestamp(0), RawValue.ofTimestamp(-1));
      case ElementType.REGEX -> upTo(EMPTY_REGEX, LEAST_DB_POINTER);
      case ElementType.DB_POINTER -> upTo(LEAST_DB_POINTER, EMPTY_CODE);
      case ElementType.CODE -> upTo(EMPTY_CODE, EMPTY_CODE_WITH_SCOPE);
      case ElementType.CODE_WITH_SCOPE -> upTo(EMPTY_CODE_WITH_SCOPE, RawValue.MAX_KEY);
      case ElementType.NULL -> Interval.point(RawValue.NULL);
      case ElementType.UNDEFINED -> Interval.point(RawValue.UNDEFINED);
      case ElementType.MIN_KEY -> Interval.point(RawValue.MIN_KEY);
      case ElementType.MAX_KEY -> Interval.point(RawValue.MAX_KEY);
      default -> throw new IllegalArgumentException("unknown BSON type " + type);
    };
  }

  private static Interval closed(RawValue low, RawValue high) {
    return new Interval(low, true, high, true);
  }

  private static Interval upTo(RawValue low, RawValue next) {
    return new Interval(low, true, next, false);
  }
}
