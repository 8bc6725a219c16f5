package dev.wisent.database.plan;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * What a filter says about one indexed field: certain values, or a range within one type. Bounds
 * may let through too much, never too little; the filter is applied to the documents anyway.
 *
 * @param points values in ascending order; null where there is a range
 * @param lower the comparison from below, or null
 * @param upper the comparison from above, or null
 */
record FieldBounds(List<RawValue> points, ComparisonMatch lower, ComparisonMatch upper) {

  /**
   * Bounds for a path from conditions that all hold; null if they say nothing that helps.
   *
   * @param severalValues whether a document may have several values at the path
   */
  static FieldBounds of(FieldPath path, List<MatchExpression> conditions, boolean severalValues) {
    ComparisonMatch lower = null;
    ComparisonMatch upper = null;
    List<RawValue> several = null;
    for (MatchExpression condition : conditions) {
      if (!(condition instanceof PathMatch match) || !match.path().equals(path)) {
        continue;
      }
      switch (match) {
        case ComparisonMatch comparison when isUsable(comparison) -> {
          switch (comparison.comparison()) {
            case EQ -> {
              return new FieldBounds(List.of(comparison.operand()), null, null);
            }
            case GT, GTE -> lower = comparison;
            case LT, LTE -> upper = comparison;
          }
        }
        case InMatch in when isUsable(in) -> several = in.equalities();
        default -> {}
      }
    }
    if (several != null) {
      return new FieldBounds(several, null, null);
    }
    if (lower == null && upper == null) {
      return null;
    }
    if (lower != null && upper != null && !canCombine(lower, upper, severalValues)) {
      upper = null;
    }
    return new FieldBounds(null, lower, upper);
  }

  /** With arrays, one element may satisfy the one bound and another element the other. */
  private static boolean canCombine(
      ComparisonMatch lower, ComparisonMatch upper, boolean severalValues) {
    return !severalValues
        && ElementType.rank(lower.operand().type()) == ElementType.rank(upper.operand().type());
  }

  private static boolean isUsable(ComparisonMatch comparison) {
    byte type = comparison.operand().type();
    return comparison.comparison() == ComparisonMatch.Comparison.EQ
        ? isPoint(comparison.operand())
        : KeyClasses.hasRange(type);
  }

  private static boolean isUsable(InMatch in) {
    return in.regexes().isEmpty()
        && !in.equalities().isEmpty()
        && in.equalities().stream().allMatch(FieldBounds::isPoint);
  }

  /**
   * Null also finds documents without the field, and an array is found as a whole or by its
   * elements: neither is one key.
   */
  private static boolean isPoint(RawValue value) {
    return !value.isNullish() && !value.isArray();
  }

  boolean isPoints() {
    return points != null;
  }
}
