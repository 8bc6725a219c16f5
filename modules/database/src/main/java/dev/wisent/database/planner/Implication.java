package dev.wisent.database.planner;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.match.ExistsMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.match.TypeMatch;
import java.util.List;

/**
 * Proves that every document of a query is in a partial index: that the query's filter implies the
 * index's. What is not proved may be true all the same; the index is not used then.
 *
 * <p>Two conditions on one path look at the same values of a document, so it is enough that each
 * value that meets the one meets the other. Nothing follows from a comparison of strings under one
 * collation for those under another.
 */
final class Implication {
  private Implication() {}

  static boolean holds(MatchExpression query, MatchExpression required) {
    return holds(Conjuncts.members(query), required);
  }

  /** Whether documents that meet all of the conditions meet another filter. */
  static boolean holds(List<MatchExpression> conditions, MatchExpression required) {
    return switch (required) {
      case AlwaysMatch always -> always == AlwaysMatch.TRUE;
      case AndMatch and -> and.children().stream().allMatch(child -> holds(conditions, child));
      case OrMatch or ->
          or.children().stream().anyMatch(child -> holds(conditions, child))
              || conditions.stream().anyMatch(condition -> implies(condition, or));
      default -> conditions.stream().anyMatch(condition -> implies(condition, required));
    };
  }

  private static boolean implies(MatchExpression condition, MatchExpression required) {
    if (condition.equals(required)) {
      return true;
    }
    if (condition instanceof OrMatch or) {
      return or.children().stream().allMatch(branch -> holds(branch, required));
    }
    if (condition instanceof InMatch in && required instanceof OrMatch) {
      return in.regexes().isEmpty()
          && in.equalities().stream().allMatch(value -> holds(equal(in, value), required));
    }
    if (!(required instanceof PathMatch leaf)) {
      return false;
    }
    return switch (condition) {
      case PathMatch match when match.path().equals(leaf.path()) -> impliesAtPath(match, leaf);
      case NotMatch not -> leaf instanceof ExistsMatch && excludesMissing(not, leaf);
      default -> false;
    };
  }

  private static MatchExpression equal(InMatch in, RawValue value) {
    return ComparisonMatch.of(Comparison.EQ, in.path(), value, in.collation(), in.meter());
  }

  /**
   * {@code {a: {$ne: null}}} means that there is an a. With dots that is not so: an empty array on
   * the way has neither null nor anything else.
   */
  private static boolean excludesMissing(NotMatch not, PathMatch exists) {
    return exists.path().length() == 1
        && not.child() instanceof PathMatch child
        && child.path().equals(exists.path())
        && child.matchesValue(null);
  }

  private static boolean impliesAtPath(PathMatch condition, PathMatch required) {
    if (!comparesAlike(condition, required)) {
      return false;
    }
    return switch (required) {
      case ExistsMatch ignored -> !condition.matchesValue(null);
      case TypeMatch type -> impliesType(condition, type);
      case ComparisonMatch comparison -> impliesComparison(condition, comparison);
      case InMatch in -> areAllAccepted(condition, in);
      default -> false;
    };
  }

  private static boolean comparesAlike(PathMatch condition, PathMatch required) {
    return required instanceof ExistsMatch
        || required instanceof TypeMatch
        || Collation.same(collation(condition), collation(required));
  }

  private static Collation collation(PathMatch match) {
    return switch (match) {
      case ComparisonMatch comparison -> comparison.collation();
      case InMatch in -> in.collation();
      default -> null;
    };
  }

  private static boolean impliesType(PathMatch condition, TypeMatch required) {
    return switch (condition) {
      case TypeMatch type -> (type.types() & ~required.types()) == 0;
      case ComparisonMatch comparison -> acceptsAllLike(required, comparison.operand().type());
      case InMatch in ->
          in.regexes().isEmpty()
              && in.equalities().stream().allMatch(value -> acceptsAllLike(required, value.type()));
      default -> false;
    };
  }

  /** Equal values, and those of a range, may be of any type that compares with the operand's. */
  private static boolean acceptsAllLike(TypeMatch required, byte type) {
    if (type == ElementType.NULL || type == ElementType.MIN_KEY || type == ElementType.MAX_KEY) {
      return false;
    }
    for (int other = Byte.MIN_VALUE; other <= Byte.MAX_VALUE; other++) {
      if (ElementType.isKnown((byte) other)
          && ElementType.rank((byte) other) == ElementType.rank(type)
          && !required.accepts((byte) other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean impliesComparison(PathMatch condition, ComparisonMatch required) {
    if (condition instanceof ComparisonMatch range && !range.isEquality()) {
      return isNarrower(range, required);
    }
    return areAllAccepted(condition, required);
  }

  /** Whether a condition lists values, and all of them meet another one. */
  private static boolean areAllAccepted(PathMatch condition, PathMatch required) {
    return switch (condition) {
      case ComparisonMatch comparison ->
          comparison.isEquality() && isAccepted(comparison.operand(), required);
      case InMatch in ->
          in.regexes().isEmpty()
              && in.equalities().stream().allMatch(value -> isAccepted(value, required));
      default -> false;
    };
  }

  /** Null also stands for a missing field. */
  private static boolean isAccepted(RawValue value, PathMatch required) {
    return required.matchesValue(value)
        && (value.type() != ElementType.NULL || required.matchesValue(null));
  }

  private static boolean isNarrower(ComparisonMatch range, ComparisonMatch required) {
    RawValue inner = range.operand();
    RawValue outer = required.operand();
    if (ElementType.rank(inner.type()) != ElementType.rank(outer.type())
        || isNaN(inner)
        || isNaN(outer)
        || (isBelow(range) ? !isBelow(required) : !isAbove(required))) {
      return false;
    }
    int order = Collation.compare(range.collation(), inner, outer);
    if (order == 0) {
      // Only an open end lies within an open end.
      return required.matchesValue(inner) || !range.matchesValue(inner);
    }
    return isBelow(range) == order < 0;
  }

  private static boolean isNaN(RawValue value) {
    return value.isNumber() && Double.isNaN(value.toDouble());
  }

  private static boolean isBelow(ComparisonMatch range) {
    return range.comparison() == Comparison.LT || range.comparison() == Comparison.LTE;
  }

  private static boolean isAbove(ComparisonMatch range) {
    return range.comparison() == Comparison.GT || range.comparison() == Comparison.GTE;
  }
}
