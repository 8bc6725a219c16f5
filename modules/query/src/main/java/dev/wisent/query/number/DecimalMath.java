package dev.wisent.query.number;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.UnaryOperator;
import org.bson.types.Decimal128;

/**
 * Powers, logarithms and trigonometry of decimals. Computed with more digits than a decimal has and
 * rounded once, so that the 34 digits are right.
 */
public final class DecimalMath {
  private static final MathContext WORK = new MathContext(60, RoundingMode.HALF_EVEN);
  private static final BigDecimal TINY = BigDecimal.ONE.scaleByPowerOfTen(-60);
  private static final BigDecimal TWO = BigDecimal.TWO;
  private static final BigDecimal HALF = new BigDecimal("0.5");

  /** Enough digits to bring any argument up to 10^40 near zero. */
  private static final BigDecimal PI =
      new BigDecimal(
          "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"
              + "862803482534211706798214808651");

  private static final BigDecimal LN_10 = lnSmall(BigDecimal.TEN);

  /** Beyond this the result is an infinity, or zero. */
  private static final BigDecimal EXP_MAX = new BigDecimal(14_300);

  private static final int SQUARINGS = 8;
  private static final int ARCTANGENT_HALVINGS = 4;

  private DecimalMath() {}

  public static Decimal128 exp(Decimal128 x) {
    if (x.isNaN()) {
      return x;
    }
    if (x.isInfinite()) {
      return x.isNegative() ? Decimals.ZERO : x;
    }
    BigDecimal value = Decimals.finite(x);
    if (value.abs().compareTo(EXP_MAX) > 0) {
      return value.signum() > 0 ? Decimals.infinity(false) : Decimals.ZERO;
    }
    return rounded(exp(value));
  }

  private static BigDecimal exp(BigDecimal x) {
    BigDecimal reduced = x.divide(BigDecimal.valueOf(1L << SQUARINGS), WORK);
    int more = 0;
    while (reduced.abs().compareTo(HALF) > 0) {
      reduced = reduced.multiply(HALF, WORK);
      more++;
    }
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int i = 1; term.abs().compareTo(TINY) > 0; i++) {
      term = term.multiply(reduced, WORK).divide(BigDecimal.valueOf(i), WORK);
      sum = sum.add(term, WORK);
    }
    for (int i = 0; i < SQUARINGS + more; i++) {
      sum = sum.multiply(sum, WORK);
    }
    return sum;
  }

  /** The argument must be positive, or NaN. */
  public static Decimal128 ln(Decimal128 x) {
    return Decimals.isFinite(x) ? rounded(ln(Decimals.finite(x))) : x;
  }

  public static Decimal128 log10(Decimal128 x) {
    return Decimals.isFinite(x) ? rounded(ln(Decimals.finite(x)).divide(LN_10, WORK)) : x;
  }

  public static Decimal128 log(Decimal128 x, Decimal128 base) {
    if (x.isNaN() || base.isNaN()) {
      return Decimal128.NaN;
    }
    if (x.isInfinite() || base.isInfinite()) {
      return x.isInfinite() && base.isInfinite()
          ? Decimal128.NaN
          : base.isInfinite() ? Decimals.ZERO : x;
    }
    return rounded(ln(Decimals.finite(x)).divide(ln(Decimals.finite(base)), WORK));
  }

  private static BigDecimal ln(BigDecimal x) {
    int exponent = x.precision() - x.scale() - 1;
    BigDecimal mantissa = x.scaleByPowerOfTen(-exponent);
    return lnSmall(mantissa).add(LN_10.multiply(BigDecimal.valueOf(exponent), WORK), WORK);
  }

  /** Halley's method from a double: each step triples the digits. */
  private static BigDecimal lnSmall(BigDecimal x) {
    BigDecimal y = new BigDecimal(Math.log(x.doubleValue()), WORK);
    for (int i = 0; i < 3; i++) {
      BigDecimal power = exp(y);
      BigDecimal step =
          x.subtract(power, WORK).divide(x.add(power, WORK), WORK).multiply(TWO, WORK);
      y = y.add(step, WORK);
    }
    return y;
  }

  public static Decimal128 sqrt(Decimal128 x) {
    return Decimals.isFinite(x) && !Decimals.isZero(x)
        ? Decimals.fitted(Decimals.finite(x).sqrt(MathContext.DECIMAL128), false)
        : x;
  }

  /**
   * The base must not be zero where the exponent is negative. As with MongoDB, a power has all 34
   * digits.
   */
  public static Decimal128 pow(Decimal128 base, Decimal128 exponent) {
    return Decimals.padded(power(base, exponent));
  }

  private static Decimal128 power(Decimal128 base, Decimal128 exponent) {
    if (Decimals.isZero(exponent)) {
      return new Decimal128(1);
    }
    if (base.isNaN() || exponent.isNaN()) {
      return Decimal128.NaN;
    }
    if (!Decimals.isFinite(base) || !Decimals.isFinite(exponent)) {
      return Decimals.of(Math.pow(base.doubleValue(), exponent.doubleValue()));
    }
    BigDecimal x = Decimals.finite(base);
    BigDecimal y = Decimals.finite(exponent);
    if (x.signum() == 0) {
      return Decimals.ZERO;
    }
    boolean whole = y.stripTrailingZeros().scale() <= 0;
    if (x.signum() < 0 && !whole) {
      return Decimal128.NaN;
    }
    boolean negative = x.signum() < 0 && y.toBigInteger().testBit(0);
    if (whole && y.abs().compareTo(BigDecimal.valueOf(999)) <= 0) {
      BigDecimal power = x.abs().pow(y.abs().intValueExact(), WORK);
      BigDecimal result = y.signum() < 0 ? BigDecimal.ONE.divide(power, WORK) : power;
      return Decimals.fitted((negative ? result.negate() : result), negative);
    }
    Decimal128 magnitude = exp(Decimals.fitted(y.multiply(ln(x.abs()), WORK), false));
    return negative ? Decimals.negate(magnitude) : magnitude;
  }

  public static Decimal128 sin(Decimal128 x) {
    return finite(x, v -> sine(reduced(v)));
  }

  public static Decimal128 cos(Decimal128 x) {
    return finite(x, v -> sine(reduced(v).add(PI.multiply(HALF), WORK)));
  }

  public static Decimal128 tan(Decimal128 x) {
    return finite(
        x,
        v -> {
          BigDecimal angle = reduced(v);
          return sine(angle).divide(sine(angle.add(PI.multiply(HALF), WORK)), WORK);
        });
  }

  public static Decimal128 asin(Decimal128 x) {
    return finite(x, DecimalMath::arcsine);
  }

  public static Decimal128 acos(Decimal128 x) {
    return finite(x, v -> PI.multiply(HALF).subtract(arcsine(v), WORK));
  }

  public static Decimal128 atan(Decimal128 x) {
    if (x.isInfinite()) {
      BigDecimal quarter = PI.multiply(HALF);
      return rounded(x.isNegative() ? quarter.negate() : quarter);
    }
    return finite(x, DecimalMath::arctangent);
  }

  public static Decimal128 atan2(Decimal128 y, Decimal128 x) {
    if (!Decimals.isFinite(x) || !Decimals.isFinite(y)) {
      return Decimals.of(Math.atan2(y.doubleValue(), x.doubleValue()));
    }
    BigDecimal across = Decimals.finite(x);
    BigDecimal up = Decimals.finite(y);
    if (across.signum() == 0) {
      return up.signum() == 0
          ? Decimals.of(Math.atan2(y.isNegative() ? -0.0 : 0.0, x.isNegative() ? -0.0 : 0.0))
          : rounded(PI.multiply(HALF).multiply(BigDecimal.valueOf(up.signum())));
    }
    BigDecimal angle = arctangent(up.divide(across, WORK));
    if (across.signum() > 0) {
      return rounded(angle);
    }
    boolean below = up.signum() < 0 || (up.signum() == 0 && y.isNegative());
    return rounded(below ? angle.subtract(PI, WORK) : angle.add(PI, WORK));
  }

  public static Decimal128 sinh(Decimal128 x) {
    return finite(x, v -> hyperbolic(v, -1));
  }

  public static Decimal128 cosh(Decimal128 x) {
    return x.isInfinite() ? Decimals.infinity(false) : finite(x, v -> hyperbolic(v, 1));
  }

  public static Decimal128 tanh(Decimal128 x) {
    boolean large = x.isInfinite() || x.doubleValue() > 100 || x.doubleValue() < -100;
    if (large) {
      return new Decimal128(x.isNegative() ? -1 : 1);
    }
    return finite(x, v -> hyperbolic(v, -1).divide(hyperbolic(v, 1), WORK));
  }

  public static Decimal128 asinh(Decimal128 x) {
    return finite(
        x,
        v -> {
          BigDecimal magnitude = v.abs();
          BigDecimal root = magnitude.multiply(magnitude).add(BigDecimal.ONE).sqrt(WORK);
          BigDecimal result = v.signum() == 0 ? v : ln(magnitude.add(root, WORK));
          return v.signum() < 0 ? result.negate() : result;
        });
  }

  public static Decimal128 acosh(Decimal128 x) {
    return finite(x, v -> ln(v.add(v.multiply(v).subtract(BigDecimal.ONE).sqrt(WORK), WORK)));
  }

  public static Decimal128 atanh(Decimal128 x) {
    if (Math.abs(x.doubleValue()) == 1 && Decimals.finite(x).abs().compareTo(BigDecimal.ONE) == 0) {
      return Decimals.infinity(x.isNegative());
    }
    return finite(
        x,
        v ->
            ln(BigDecimal.ONE.add(v).divide(BigDecimal.ONE.subtract(v), WORK))
                .multiply(HALF, WORK));
  }

  public static Decimal128 toRadians(Decimal128 degrees) {
    return finite(degrees, v -> v.multiply(PI, WORK).divide(BigDecimal.valueOf(180), WORK));
  }

  public static Decimal128 toDegrees(Decimal128 radians) {
    return finite(radians, v -> v.multiply(BigDecimal.valueOf(180), WORK).divide(PI, WORK));
  }

  private static Decimal128 finite(Decimal128 x, UnaryOperator<BigDecimal> function) {
    return Decimals.isFinite(x) ? rounded(function.apply(Decimals.finite(x))) : x;
  }

  /** An angle between -π and π. */
  private static BigDecimal reduced(BigDecimal angle) {
    BigDecimal turn = PI.multiply(TWO);
    BigInteger turns = angle.divide(turn, 0, RoundingMode.HALF_EVEN).toBigInteger();
    return angle.subtract(turn.multiply(new BigDecimal(turns)));
  }

  private static BigDecimal sine(BigDecimal angle) {
    BigDecimal x = reduced(angle).round(WORK);
    BigDecimal square = x.multiply(x, WORK);
    BigDecimal term = x;
    BigDecimal sum = x;
    for (int i = 2; term.abs().compareTo(TINY) > 0; i += 2) {
      term =
          term.multiply(square, WORK).divide(BigDecimal.valueOf((long) i * (i + 1)), WORK).negate();
      sum = sum.add(term, WORK);
    }
    return sum;
  }

  private static BigDecimal arcsine(BigDecimal x) {
    if (x.abs().compareTo(BigDecimal.ONE) == 0) {
      return PI.multiply(HALF).multiply(BigDecimal.valueOf(x.signum()));
    }
    BigDecimal other = BigDecimal.ONE.subtract(x.multiply(x, WORK), WORK).sqrt(WORK);
    return arctangent(x.divide(other, WORK));
  }

  private static BigDecimal arctangent(BigDecimal value) {
    BigDecimal x = value;
    for (int i = 0; i < ARCTANGENT_HALVINGS; i++) {
      BigDecimal root = BigDecimal.ONE.add(x.multiply(x, WORK), WORK).sqrt(WORK);
      x = x.divide(BigDecimal.ONE.add(root, WORK), WORK);
    }
    BigDecimal square = x.multiply(x, WORK).negate();
    BigDecimal power = x;
    BigDecimal sum = x;
    for (int i = 3; power.abs().compareTo(TINY) > 0; i += 2) {
      power = power.multiply(square, WORK);
      sum = sum.add(power.divide(BigDecimal.valueOf(i), WORK), WORK);
    }
    return sum.multiply(BigDecimal.valueOf(1L << ARCTANGENT_HALVINGS), WORK);
  }

  /** Half the sum, or with -1 the difference, of the powers of e; a series near zero. */
  private static BigDecimal hyperbolic(BigDecimal x, int sign) {
    if (sign < 0 && x.abs().compareTo(new BigDecimal("1e-10")) < 0) {
      return x.add(x.pow(3, WORK).divide(BigDecimal.valueOf(6), WORK), WORK);
    }
    BigDecimal power = exp(x);
    BigDecimal inverse = BigDecimal.ONE.divide(power, WORK).multiply(BigDecimal.valueOf(sign));
    return power.add(inverse, WORK).multiply(HALF, WORK);
  }

  /** To 34 digits; what is whole then loses its zeros. */
  private static Decimal128 rounded(BigDecimal value) {
    BigDecimal result = value.round(MathContext.DECIMAL128);
    BigDecimal stripped = result.stripTrailingZeros();
    boolean whole = stripped.scale() <= 0;
    return Decimals.fitted(
        whole ? stripped.setScale(0, RoundingMode.UNNECESSARY) : result, value.signum() < 0);
  }
}
