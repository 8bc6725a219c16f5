package dev.wisent.pipeline.group;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Decimals;
import java.math.BigDecimal;
import java.math.MathContext;

/** The granularity {@code POWERSOF2}. */
final class PowersOfTwo extends Granularity {
  static final String NAME = "POWERSOF2";

  private static final BigDecimal TWO = BigDecimal.TWO;
  private static final int LONG_EXPONENT_MAX = 62;

  PowersOfTwo() {
    super(NAME);
  }

  @Override
  RawValue above(RawValue value) {
    return power(exponent(value) + 1);
  }

  @Override
  RawValue below(RawValue value) {
    int exponent = exponent(value);
    return power(isPower(value, exponent) ? exponent - 1 : exponent);
  }

  /** The exponent of the largest power that is not above the value. */
  private static int exponent(RawValue value) {
    return value.type() == ElementType.DOUBLE
        ? exponent(value.asDouble())
        : Long.SIZE - 1 - Long.numberOfLeadingZeros(value.toLong());
  }

  private static int exponent(double number) {
    return number < Double.MIN_NORMAL
        ? Math.getExponent(number * 0x1p54) - 54
        : Math.getExponent(number);
  }

  private static boolean isPower(RawValue value, int exponent) {
    return value.type() == ElementType.DOUBLE
        ? value.asDouble() == Math.scalb(1.0, exponent)
        : Long.bitCount(value.toLong()) == 1;
  }

  private static RawValue power(int exponent) {
    return exponent >= 0 && exponent <= LONG_EXPONENT_MAX
        ? Values.intOrLong(1L << exponent)
        : RawValue.ofDouble(Math.scalb(1.0, exponent));
  }

  @Override
  RawValue decimalAbove(RawValue value) {
    return decimal(decimalPower(decimalExponent(value) + 1));
  }

  @Override
  RawValue decimalBelow(RawValue value) {
    int exponent = decimalExponent(value);
    boolean isPower = decimalPower(exponent).compareTo(finite(value)) == 0;
    return decimal(decimalPower(isPower ? exponent - 1 : exponent));
  }

  private static int decimalExponent(RawValue value) {
    BigDecimal number = finite(value);
    // Roughly first, from the number of decimal digits.
    int exponent = (int) ((number.precision() - number.scale() - 1) / Math.log10(2));
    while (decimalPower(exponent).compareTo(number) > 0) {
      exponent--;
    }
    while (decimalPower(exponent + 1).compareTo(number) <= 0) {
      exponent++;
    }
    return exponent;
  }

  private static BigDecimal finite(RawValue value) {
    return Decimals.finite(value.asDecimal128());
  }

  private static BigDecimal decimalPower(int exponent) {
    return TWO.pow(exponent, MathContext.DECIMAL128);
  }

  private static RawValue decimal(BigDecimal number) {
    return RawValue.ofDecimal128(Decimals.fitted(number, false));
  }
}
