package dev.wisent.query.bounds;

import java.util.List;

/**
 * What one condition says about one field of an index: every document that meets it has a key in
 * the intervals.
 */
public record PredicateBounds(List<Interval> intervals, Tightness tightness) {
  public PredicateBounds {
    intervals = List.copyOf(intervals);
  }

  static PredicateBounds exact(Interval... intervals) {
    return new PredicateBounds(Intervals.union(List.of(intervals)), Tightness.EXACT);
  }

  static PredicateBounds all(Tightness tightness) {
    return new PredicateBounds(List.of(Interval.ALL), tightness);
  }

  PredicateBounds atLeast(Tightness looser) {
    return new PredicateBounds(intervals, tightness.or(looser));
  }

  boolean isExact() {
    return tightness == Tightness.EXACT;
  }
}
