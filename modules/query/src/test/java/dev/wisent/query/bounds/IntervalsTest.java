package dev.wisent.query.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sets of numbers, small enough to be compared value by value. */
class IntervalsTest {
  private static final int VALUES = 8;

  /** Whole numbers and what lies between them. */
  private static RawValue value(int i) {
    return RawValue.ofDouble(i / 2.0);
  }

  private static List<Interval> random(Random random) {
    var intervals = new ArrayList<Interval>();
    for (int i = 0; i < random.nextInt(4); i++) {
      int low = 2 * random.nextInt(VALUES);
      int high = low + 2 * random.nextInt(3);
      intervals.add(
          new Interval(value(low), random.nextBoolean(), value(high), random.nextBoolean()));
    }
    return intervals;
  }

  private static boolean isIn(List<Interval> intervals, int i) {
    return Intervals.contains(intervals, value(i));
  }

  @Test
  void setsAreUnitedIntersectedAndTurnedRound() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(seed);
    for (int n = 0; n < 10_000; n++) {
      List<Interval> some = random(random);
      List<Interval> others = random(random);
      List<Interval> a = Intervals.union(some);
      List<Interval> b = Intervals.union(others);
      List<Interval> both = Intervals.intersection(a, b);
      List<Interval> notA = Intervals.complement(a);
      for (int i = -1; i <= 4 * VALUES; i++) {
        String description = "seed " + seed + ", value " + i + " of " + some + " and " + others;
        assertThat(isIn(a, i)).as(description).isEqualTo(isIn(some, i));
        assertThat(isIn(both, i)).as(description).isEqualTo(isIn(a, i) && isIn(b, i));
        assertThat(isIn(notA, i)).as(description).isEqualTo(!isIn(a, i));
      }
      assertThat(Intervals.complement(notA)).as("seed " + seed).isEqualTo(a);
      assertThat(Intervals.union(a)).as("seed " + seed).isEqualTo(a);
    }
  }
}
