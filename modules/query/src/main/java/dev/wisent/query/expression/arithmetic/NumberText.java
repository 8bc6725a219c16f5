package dev.wisent.query.expression.arithmetic;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Doubles as C++ streams print them in messages: sixteen digits at most, no point if it is whole.
 */
public final class NumberText {
  private static final int DIGITS = 16;

  private NumberText() {}

  public static String of(double value) {
    return of(value, DIGITS);
  }

  /** The same with so many digits at most. */
  public static String of(double value, int digits) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < digits) {
      return rounded.toPlainString();
    }
    String mantissa = rounded.scaleByPowerOfTen(-exponent).toPlainString();
    String power = Integer.toString(Math.abs(exponent));
    return mantissa + (exponent < 0 ? "e-" : "e+") + (power.length() < 2 ? "0" : "") + power;
  }
}
