package dev.wisent.query.number;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Arrays;

/**
 * Standard deviations of many sets of numbers, by number, with Welford's method: one pass, and no
 * large sums that cancel each other.
 */
public final class Deviations {
  /** How many numbers there were, their mean, and the sum of the squares of the distances to it. */
  private static final int CELLS = 3;

  private double[] cells = new double[CELLS];

  /** Makes a set empty. Sets begin in the order of their numbers. */
  public void start(int set) {
    int at = CELLS * set;
    if (at == cells.length) {
      cells = Arrays.copyOf(cells, 2 * cells.length);
    }
    Arrays.fill(cells, at, at + CELLS, 0);
  }

  public void add(int set, double number) {
    int at = CELLS * set;
    double delta = number - cells[at + 1];
    cells[at]++;
    cells[at + 1] += delta / cells[at];
    cells[at + 2] += delta * (number - cells[at + 1]);
  }

  /**
   * The standard deviation of a set; null where there are not enough numbers.
   *
   * @param sample whether the set is only a sample of what is asked about
   */
  public RawValue get(int set, boolean sample) {
    int at = CELLS * set;
    double divisor = sample ? cells[at] - 1 : cells[at];
    return divisor <= 0 ? RawValue.NULL : RawValue.ofDouble(Math.sqrt(cells[at + 2] / divisor));
  }

  /** The bytes of memory that are held. */
  public long bytes() {
    return 8L * cells.length;
  }

  /** All that there is to know of a set, for {@link #merge}. */
  public RawValue partial(int set) {
    int at = CELLS * set;
    var out = new BsonBuilder().appendDouble("n", cells[at]);
    out.appendDouble("m", cells[at + 1]).appendDouble("s", cells[at + 2]);
    return RawValue.ofDocument(out.toDocument());
  }

  /** Adds all numbers of a set that was written down. */
  public void merge(int set, RawValue partial) {
    RawDocument other = partial.asDocument();
    double count = other.get("n").asDouble();
    if (count == 0) {
      return;
    }
    int at = CELLS * set;
    double before = cells[at];
    double delta = other.get("m").asDouble() - cells[at + 1];
    cells[at] += count;
    cells[at + 2] += other.get("s").asDouble();
    if (delta != 0) {
      cells[at + 1] += delta * count / cells[at];
      cells[at + 2] += delta * delta * before * count / cells[at];
    }
  }
}
