package dev.wisent.query.bounds;

import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.geo.GeoKeyRange;
import dev.wisent.query.match.GeoMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NearMatch;
import java.util.List;

/** From a condition on a place to the cells of an index that may have it. */
public final class GeoBounds {
  private GeoBounds() {}

  /** Null if the index is of no use for the condition. */
  public static PredicateBounds of(MatchExpression condition, GeoCells cells) {
    return switch (condition) {
      case GeoMatch geo -> {
        List<GeoKeyRange> ranges = cells.ranges(geo.area(), geo.within());
        yield ranges == null ? null : new PredicateBounds(intervals(ranges), Tightness.FETCH);
      }
      // Which keys come when is up to the search; afterwards there is nothing left to ask.
      case NearMatch near -> cells.fits(near.query()) ? PredicateBounds.all(Tightness.EXACT) : null;
      default -> null;
    };
  }

  /** The keys of some ranges in order, without overlap. */
  public static List<Interval> intervals(List<GeoKeyRange> ranges) {
    return Intervals.union(
        ranges.stream().map(range -> new Interval(range.low(), true, range.high(), true)).toList());
  }
}
