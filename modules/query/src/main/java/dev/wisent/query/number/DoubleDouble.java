package dev.wisent.query.number;

import java.math.BigDecimal;
import org.bson.types.Decimal128;

/**
 * A sum of doubles and longs with twice the precision of a double, so that the order of the terms
 * does not show and sums of longs are exact.
 */
public final class DoubleDouble {
  private static final double TWO_TO_63 = 0x1p63;
  private static final int HALF_BITS = 32;

  private double sum = -0.0;
  private double rest;

  /** The plain sum, which holds where there are infinities, NaN or an overflow. */
  private double plain;

  public void add(double term) {
    plain += term;
    // Knuth's exact sum of two doubles, applied twice.
    double total = sum + term;
    double part = total - sum;
    double error = (sum - (total - part)) + (term - part);
    sum = total;
    double lower = rest + error;
    double renewed = sum + lower;
    rest = lower - (renewed - sum);
    sum = renewed;
  }

  public void add(long term) {
    if (term == (int) term) {
      add((double) (int) term);
      return;
    }
    // Neither half needs more bits than a double has.
    long high = term >> HALF_BITS << HALF_BITS;
    add((double) high);
    add((double) (term - high));
  }

  public double value() {
    return isFinite() ? sum : plain;
  }

  private boolean isFinite() {
    return Math.abs(sum) <= Double.MAX_VALUE;
  }

  /** Whether it is, rounded towards zero, in the range of long. */
  public boolean fitsLong() {
    if (!isFinite()) {
      return false;
    }
    if (sum == TWO_TO_63) {
      return rest < 0;
    }
    return sum >= -TWO_TO_63 && sum < TWO_TO_63 && !(sum == -TWO_TO_63 && rest < 0);
  }

  /** The whole part; only where it {@link #fitsLong()}. */
  public long longValue() {
    return new BigDecimal(sum).add(new BigDecimal(rest)).longValue();
  }

  public Decimal128 decimal() {
    if (!isFinite()) {
      return Decimals.of(plain);
    }
    return Decimals.add(Decimals.exactly(sum), Decimals.exactly(rest));
  }

  /** The part of the sum that does not fit a double. */
  public double rest() {
    return rest;
  }
}
