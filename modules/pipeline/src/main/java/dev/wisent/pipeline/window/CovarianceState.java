package dev.wisent.pipeline.window;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.arithmetic.Arithmetic;
import org.bson.types.Decimal128;

/**
 * {@code $covariancePop} and {@code $covarianceSamp}: of arrays of two numbers; others do not
 * count. Infinities and NaN go straight into the result, which has no use for their means.
 */
final class CovarianceState extends WindowState {
  private final boolean sample;
  private final RemovableSum xs = new RemovableSum();
  private final RemovableSum ys = new RemovableSum();

  /** The products of the distances from the means. */
  private final RemovableSum products = new RemovableSum();

  /** What infinities and NaN make of the result. */
  private final RemovableSum specials = new RemovableSum();

  CovarianceState(boolean sample) {
    this.sample = sample;
  }

  @Override
  void add(RawValue value) {
    if (!isPair(value)) {
      return;
    }
    RawDocument pair = value.asDocument();
    RawValue x = pair.get("0");
    RawValue y = pair.get("1");
    if (!isFinite(x) || !isFinite(y)) {
      specials.add(special(x, y));
      return;
    }
    RawValue distance = xs.count() == 0 ? null : Arithmetic.subtract(x, xs.average());
    xs.add(x);
    ys.add(y);
    if (distance != null) {
      products.add(Arithmetic.multiply(distance, Arithmetic.subtract(y, ys.average())));
    }
  }

  @Override
  void remove(ValueQueue values, long number) {
    RawValue value = values.get(number);
    if (!isPair(value)) {
      return;
    }
    RawDocument pair = value.asDocument();
    RawValue x = pair.get("0");
    RawValue y = pair.get("1");
    if (!isFinite(x) || !isFinite(y)) {
      specials.remove(special(x, y));
      return;
    }
    if (xs.count() == 1) {
      forgetFinite();
      return;
    }
    xs.remove(x);
    RawValue distance = Arithmetic.subtract(x, xs.average());
    products.remove(Arithmetic.multiply(distance, Arithmetic.subtract(y, ys.average())));
    ys.remove(y);
  }

  private static boolean isPair(RawValue value) {
    if (value == null || !value.isArray() || value.asDocument().fieldCount() != 2) {
      return false;
    }
    return value.asDocument().get("0").isNumber() && value.asDocument().get("1").isNumber();
  }

  private static boolean isFinite(RawValue number) {
    if (number.type() == ElementType.DECIMAL128) {
      Decimal128 decimal = number.asDecimal128();
      return !decimal.isNaN() && !decimal.isInfinite();
    }
    return Math.abs(number.toDouble()) <= Double.MAX_VALUE;
  }

  /** NaN wins, and so does it where the infinities differ. */
  private static RawValue special(RawValue x, RawValue y) {
    boolean decimal = isDecimalNumber(x) || isDecimalNumber(y);
    double sum = (isFinite(x) ? 0 : x.toDouble()) + (isFinite(y) ? 0 : y.toDouble());
    if (!decimal) {
      return RawValue.ofDouble(sum);
    }
    return RawValue.ofDecimal128(
        Double.isNaN(sum)
            ? Decimal128.NaN
            : sum > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY);
  }

  private static boolean isDecimalNumber(RawValue value) {
    return value.type() == ElementType.DECIMAL128 && !value.asDecimal128().isNaN();
  }

  private void forgetFinite() {
    xs.reset();
    ys.reset();
    products.reset();
  }

  @Override
  void reset() {
    forgetFinite();
    specials.reset();
  }

  @Override
  RawValue result(ValueQueue values, long from, long to) {
    long count = xs.count();
    if (count == 1 && !sample) {
      return RawValue.ofDouble(0);
    }
    long divisor = sample ? count - 1 : count;
    if (divisor <= 0) {
      return RawValue.NULL;
    }
    return specials.count() > 0
        ? specials.value()
        : Arithmetic.divide(products.value(), RawValue.ofDouble(divisor));
  }
}
