package dev.wisent.query.bounds;

import java.util.List;

/**
 * The values that a scan looks at in one field of an index.
 *
 * @param name the path of the field; {@code $_path} for the first field of a wildcard index
 * @param intervals ascending, without overlap; none if nothing can match
 */
public record FieldIntervals(String name, List<Interval> intervals) {
  public FieldIntervals {
    intervals = List.copyOf(intervals);
  }

  public static FieldIntervals all(String name) {
    return new FieldIntervals(name, List.of(Interval.ALL));
  }

  public boolean isAll() {
    return intervals.size() == 1 && intervals.getFirst().isAll();
  }

  /** Whether there is one value and no other. */
  public boolean isPoint() {
    return intervals.size() == 1 && intervals.getFirst().isPoint();
  }

  /** Whether every interval is one value. */
  public boolean isPoints() {
    return intervals.stream().allMatch(Interval::isPoint);
  }
}
