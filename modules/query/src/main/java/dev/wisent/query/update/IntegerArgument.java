package dev.wisent.query.update;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import java.math.BigDecimal;
import java.util.OptionalLong;
import org.bson.types.Decimal128;

/** Arguments that must be whole numbers, of whatever numeric type. */
final class IntegerArgument {
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);

  private IntegerArgument() {}

  /** The number, or nothing where it is not a whole number that fits a long. */
  static OptionalLong parse(RawValue value) {
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64 -> OptionalLong.of(value.toLong());
      case ElementType.DOUBLE -> parse(value.asDouble());
      case ElementType.DECIMAL128 -> parse(value.asDecimal128());
      default -> OptionalLong.empty();
    };
  }

  private static OptionalLong parse(double value) {
    boolean fits = value == Math.rint(value) && value >= -0x1p63 && value < 0x1p63;
    return fits ? OptionalLong.of((long) value) : OptionalLong.empty();
  }

  private static OptionalLong parse(Decimal128 value) {
    if (value.isNaN() || value.isInfinite() || Math.abs(value.doubleValue()) > 1e19) {
      return OptionalLong.empty();
    }
    if (value.doubleValue() == 0 && value.equals(Decimal128.NEGATIVE_ZERO)) {
      return OptionalLong.of(0);
    }
    BigDecimal exact = value.bigDecimalValue().stripTrailingZeros();
    boolean fits =
        exact.scale() <= 0 && exact.compareTo(LONG_MIN) >= 0 && exact.compareTo(LONG_MAX) <= 0;
    return fits ? OptionalLong.of(exact.longValueExact()) : OptionalLong.empty();
  }
}
