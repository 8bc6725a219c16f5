package dev.wisent.query.schema;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.bson.types.Decimal128;

/**
 * {@code multipleOf}: division leaves nothing. MongoDB divides decimals, and takes 15 digits of a
 * double, so that 1.1 is a multiple of 0.1.
 *
 * @param divisor null where it is infinite or no number, of which nothing is a multiple
 */
record MultipleOfRule(Keyword keyword, BigDecimal divisor) implements SchemaRule {
  private static final MathContext DOUBLE_DIGITS = new MathContext(15);

  static SchemaRule parse(Keyword keyword) {
    RawValue number = keyword.number();
    BigDecimal divisor = decimal(number);
    boolean negative = divisor == null ? isNegative(number) : divisor.signum() <= 0;
    if (negative) {
      throw keyword.failedToParse("must have a positive value");
    }
    return new MultipleOfRule(keyword, divisor);
  }

  private static boolean isNegative(RawValue number) {
    return number.type() == ElementType.DECIMAL128
        ? number.asDecimal128().isNegative()
        : number.toDouble() < 0;
  }

  /** The number, or null where it is infinite or none. */
  private static BigDecimal decimal(RawValue number) {
    return switch (number.type()) {
      case ElementType.DOUBLE -> ofDouble(number.asDouble());
      case ElementType.DECIMAL128 -> ofDecimal(number.asDecimal128());
      default -> BigDecimal.valueOf(number.toLong());
    };
  }

  private static BigDecimal ofDouble(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).round(DOUBLE_DIGITS) : null;
  }

  private static BigDecimal ofDecimal(Decimal128 value) {
    if (value.isNaN() || value.isInfinite()) {
      return null;
    }
    // The library has no negative zero.
    return value.isNegative() && isZero(value) ? BigDecimal.ZERO : value.bigDecimalValue();
  }

  private static boolean isZero(Decimal128 value) {
    return value.compareTo(Decimal128.POSITIVE_ZERO) == 0
        || value.compareTo(Decimal128.NEGATIVE_ZERO) == 0;
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.NUMBER;
  }

  @Override
  public boolean matches(RawValue value) {
    BigDecimal number = decimal(value);
    return number != null && divisor != null && number.remainder(divisor).signum() == 0;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .reason("considered value is not a multiple of the specified value")
            .consideredValue(value)
            .toDocument());
  }
}
