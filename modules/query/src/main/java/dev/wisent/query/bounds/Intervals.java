package dev.wisent.query.bounds;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sets of values as ascending lists of intervals that neither overlap nor touch. */
public final class Intervals {
  private static final Comparator<Interval> BY_START = Intervals::compareStarts;

  private Intervals() {}

  /** All values that are in any of the intervals, which may come in any order. */
  public static List<Interval> union(List<Interval> intervals) {
    var sorted = new ArrayList<Interval>(intervals.size());
    for (Interval interval : intervals) {
      if (!isEmpty(interval)) {
        sorted.add(interval);
      }
    }
    sorted.sort(BY_START);
    var merged = new ArrayList<Interval>(sorted.size());
    for (Interval interval : sorted) {
      if (merged.isEmpty() || !touches(merged.getLast(), interval)) {
        merged.add(interval);
      } else if (compareEnds(merged.getLast(), interval) < 0) {
        merged.set(merged.size() - 1, join(merged.getLast(), interval));
      }
    }
    return merged;
  }

  /** The values that are in both sets. */
  public static List<Interval> intersection(List<Interval> a, List<Interval> b) {
    var common = new ArrayList<Interval>();
    int i = 0;
    int j = 0;
    while (i < a.size() && j < b.size()) {
      Interval left = a.get(i);
      Interval right = b.get(j);
      Interval start = compareStarts(left, right) >= 0 ? left : right;
      boolean leftEndsFirst = compareEnds(left, right) <= 0;
      Interval end = leftEndsFirst ? left : right;
      var both = new Interval(start.low(), start.lowInclusive(), end.high(), end.highInclusive());
      if (!isEmpty(both)) {
        common.add(both);
      }
      if (leftEndsFirst) {
        i++;
      } else {
        j++;
      }
    }
    return common;
  }

  /** The values that are not in the set. */
  public static List<Interval> complement(List<Interval> intervals) {
    var gaps = new ArrayList<Interval>(intervals.size() + 1);
    RawValue low = RawValue.MIN_KEY;
    boolean lowInclusive = true;
    for (Interval interval : intervals) {
      addUnlessEmpty(
          gaps, new Interval(low, lowInclusive, interval.low(), !interval.lowInclusive()));
      low = interval.high();
      lowInclusive = !interval.highInclusive();
    }
    addUnlessEmpty(gaps, new Interval(low, lowInclusive, RawValue.MAX_KEY, true));
    return gaps;
  }

  public static boolean contains(List<Interval> intervals, RawValue value) {
    for (Interval interval : intervals) {
      if (contains(interval, value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(Interval interval, RawValue value) {
    int low = ValueOrder.compare(interval.low(), value);
    int high = ValueOrder.compare(value, interval.high());
    return (low < 0 || (low == 0 && interval.lowInclusive()))
        && (high < 0 || (high == 0 && interval.highInclusive()));
  }

  private static void addUnlessEmpty(List<Interval> intervals, Interval interval) {
    if (!isEmpty(interval)) {
      intervals.add(interval);
    }
  }

  private static boolean isEmpty(Interval interval) {
    int order = ValueOrder.compare(interval.low(), interval.high());
    return order > 0 || (order == 0 && !(interval.lowInclusive() && interval.highInclusive()));
  }

  /** Whether an interval that starts later has no gap before it. */
  private static boolean touches(Interval earlier, Interval later) {
    int order = ValueOrder.compare(later.low(), earlier.high());
    return order < 0 || (order == 0 && (later.lowInclusive() || earlier.highInclusive()));
  }

  private static Interval join(Interval earlier, Interval later) {
    return new Interval(earlier.low(), earlier.lowInclusive(), later.high(), later.highInclusive());
  }

  private static int compareStarts(Interval a, Interval b) {
    int order = ValueOrder.compare(a.low(), b.low());
    return order != 0 ? order : Boolean.compare(b.lowInclusive(), a.lowInclusive());
  }

  private static int compareEnds(Interval a, Interval b) {
    int order = ValueOrder.compare(a.high(), b.high());
    return order != 0 ? order : Boolean.compare(a.highInclusive(), b.highInclusive());
  }
}
