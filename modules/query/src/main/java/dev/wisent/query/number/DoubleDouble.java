package dev.wisent.query.number;

import java.math.BigDecimal;
import org.bson.types.Decimal128;

/**
 * A sum of doubles and longs with twice the precision of a double, so that the order of the terms
 * does not show and sums of longs are exact.
 *
 * <p>It is three doubles in an array, so that many sums can stand in one: the sum, the part of it
 * that does not fit a double, and the plain sum, which holds where there are infinities, NaN or an
 * overflow.
 */
public final class DoubleDouble {
  /** How many cells of an array a sum takes. */
  static final int CELLS = 3;

  private static final double TWO_TO_63 = 0x1p63;
  private static final int HALF_BITS = 32;

  private final double[] cells;

  public DoubleDouble() {
    cells = new double[CELLS];
    start(cells, 0);
  }

  private DoubleDouble(double[] cells) {
    this.cells = cells;
  }

  /** A copy of a sum in an array. */
  static DoubleDouble at(double[] cells, int at) {
    return new DoubleDouble(new double[] {cells[at], cells[at + 1], cells[at + 2]});
  }

  /** Puts the sum into an array. */
  void write(double[] into, int at) {
    System.arraycopy(cells, 0, into, at, CELLS);
  }

  /** Makes a sum in an array that of no terms. */
  static void start(double[] cells, int at) {
    cells[at] = -0.0;
    cells[at + 1] = 0;
    cells[at + 2] = 0;
  }

  /** Adds a term to a sum in an array. */
  static void add(double[] cells, int at, double term) {
    cells[at + 2] += term;
    // Knuth's exact sum of two doubles, applied twice.
    double sum = cells[at];
    double total = sum + term;
    double part = total - sum;
    double error = (sum - (total - part)) + (term - part);
    double lower = cells[at + 1] + error;
    double renewed = total + lower;
    cells[at + 1] = lower - (renewed - total);
    cells[at] = renewed;
  }

  /** Adds a term to a sum in an array. */
  static void add(double[] cells, int at, long term) {
    if (term == (int) term) {
      add(cells, at, (double) (int) term);
      return;
    }
    // Neither half needs more bits than a double has.
    long high = term >> HALF_BITS << HALF_BITS;
    add(cells, at, (double) high);
    add(cells, at, (double) (term - high));
  }

  public void add(double term) {
    add(cells, 0, term);
  }

  public void add(long term) {
    add(cells, 0, term);
  }

  /** Adds another sum with all its digits. */
  public void add(DoubleDouble other) {
    add(other.value());
    if (other.isFinite()) {
      add(other.rest());
    }
  }

  public double value() {
    return isFinite() ? cells[0] : cells[2];
  }

  private boolean isFinite() {
    return Math.abs(cells[0]) <= Double.MAX_VALUE;
  }

  /** Whether it is, rounded towards zero, in the range of long. */
  public boolean fitsLong() {
    if (!isFinite()) {
      return false;
    }
    double sum = cells[0];
    if (sum == TWO_TO_63) {
      return rest() < 0;
    }
    return sum >= -TWO_TO_63 && sum < TWO_TO_63 && !(sum == -TWO_TO_63 && rest() < 0);
  }

  /** The whole part; only where it {@link #fitsLong()}. */
  public long longValue() {
    return new BigDecimal(cells[0]).add(new BigDecimal(rest())).longValue();
  }

  public Decimal128 decimal() {
    if (!isFinite()) {
      return Decimals.of(cells[2]);
    }
    return Decimals.add(Decimals.exactly(cells[0]), Decimals.exactly(rest()));
  }

  /** The part of the sum that does not fit a double. */
  public double rest() {
    return cells[1];
  }
}
