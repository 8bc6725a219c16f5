package dev.wisent.database.plan;

import dev.wisent.bson.ElementType;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.MatchExpression;

/**
 * A range of record ids, both ends included, compared as unsigned numbers. In the oplog those are
 * timestamps, so that a condition on {@code ts} says where to begin and to end.
 */
public record RecordRange(long first, long last) {
  private static final String TIMESTAMP = "ts";
  private static final RecordRange ALL = new RecordRange(0, -1);

  /** Where the oplog entries that meet a filter are; null if that may be anywhere. */
  public static RecordRange inOplog(MatchExpression filter) {
    RecordRange range = ALL;
    for (MatchExpression condition : Conjuncts.members(filter)) {
      if (condition instanceof ComparisonMatch comparison
          && comparison.path().dotted().equals(TIMESTAMP)
          && comparison.operand().type() == ElementType.TIMESTAMP) {
        range = range.within(comparison);
      }
    }
    return range.equals(ALL) ? null : range;
  }

  private RecordRange within(ComparisonMatch comparison) {
    long time = comparison.operand().asInt64();
    return switch (comparison.comparison()) {
      case EQ -> from(time).to(time);
      // Entries that are just outside do not matter: the filter is asked as well.
      case GT, GTE -> from(time);
      case LT, LTE -> to(time);
    };
  }

  private RecordRange from(long time) {
    return Long.compareUnsigned(time, first) > 0 ? new RecordRange(time, last) : this;
  }

  private RecordRange to(long time) {
    return Long.compareUnsigned(time, last) < 0 ? new RecordRange(first, time) : this;
  }
}
