package dev.wisent.query.expression;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.arithmetic.NumberText;
import java.math.BigDecimal;
import java.util.StringJoiner;
import org.bson.types.Decimal128;

/** What expressions ask of values that may be missing, that is, null references. */
public final class Values {
  private static final int TEXT_DIGITS = 6;

  private Values() {}

  /** Missing, null or undefined. */
  public static boolean isNullish(RawValue value) {
    return value == null || value.isNullish();
  }

  public static boolean isTrue(RawValue value) {
    return value != null && value.isTruthy();
  }

  /** The order across types; a missing value stands with undefined, before null. */
  public static int compare(RawValue a, RawValue b) {
    return compare(null, a, b);
  }

  /** The same with strings in the order of a collation; null for the simple one. */
  public static int compare(Collation collation, RawValue a, RawValue b) {
    return Collation.compare(
        collation, a == null ? RawValue.UNDEFINED : a, b == null ? RawValue.UNDEFINED : b);
  }

  public static boolean equal(Collation collation, RawValue a, RawValue b) {
    return Collation.equal(
        collation, a == null ? RawValue.UNDEFINED : a, b == null ? RawValue.UNDEFINED : b);
  }

  /** The type's name as messages have it. */
  public static String typeName(RawValue value) {
    return value == null ? "missing" : ElementType.alias(value.type());
  }

  /**
   * The value as MongoDB prints computed ones in messages: without blanks inside of brackets, and
   * doubles with six digits.
   */
  public static String text(RawValue value) {
    if (value == null) {
      return "MISSING";
    }
    return switch (value.type()) {
      case ElementType.DOUBLE -> NumberText.of(value.asDouble(), TEXT_DIGITS);
      case ElementType.STRING -> '"' + value.asString() + '"';
      case ElementType.OBJECT_ID -> value.asObjectId().toHexString();
      case ElementType.ARRAY -> joined(value, false, "[", "]");
      case ElementType.DOCUMENT -> joined(value, true, "{", "}");
      default -> ValueText.of(value);
    };
  }

  private static String joined(RawValue value, boolean named, String open, String close) {
    var out = new StringJoiner(", ", open, close);
    ElementCursor elements = value.elements();
    while (elements.next()) {
      out.add((named ? elements.name() + ": " : "") + text(elements.value()));
    }
    return out.toString();
  }

  public static RawValue nullIfMissing(RawValue value) {
    return value == null ? RawValue.NULL : value;
  }

  /** An int32 where it fits. */
  public static RawValue intOrLong(long value) {
    return value == (int) value ? RawValue.ofInt32((int) value) : RawValue.ofInt64(value);
  }

  /** Whether the value is a number that an int32 can hold exactly. */
  public static boolean isInt32(RawValue value) {
    return isInt64(value) && value.toLong() == (int) value.toLong();
  }

  /** Whether the value is a number that an int64 can hold exactly. */
  public static boolean isInt64(RawValue value) {
    if (value == null) {
      return false;
    }
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64 -> true;
      case ElementType.DOUBLE -> isWhole(value.asDouble());
      case ElementType.DECIMAL128 -> isWhole(value.asDecimal128());
      default -> false;
    };
  }

  private static boolean isWhole(double value) {
    return value >= -0x1p63 && value < 0x1p63 && value == Math.rint(value);
  }

  private static boolean isWhole(Decimal128 value) {
    if (value.isNaN() || value.isInfinite()) {
      return false;
    }
    double rough = value.doubleValue();
    if (rough == 0) {
      return !value.isNegative() ? value.bigDecimalValue().signum() == 0 : rough == 0;
    }
    if (Math.abs(rough) > 0x1p64) {
      return false;
    }
    BigDecimal exact = value.bigDecimalValue();
    return exact.stripTrailingZeros().scale() <= 0
        && exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
        && exact.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0;
  }
}
