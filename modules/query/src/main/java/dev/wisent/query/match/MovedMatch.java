package dev.wisent.query.match;

import dev.wisent.query.path.FieldPath;
import java.util.List;
import java.util.function.UnaryOperator;

/** A filter with the same conditions on other paths. */
public final class MovedMatch {
  private MovedMatch() {}

  /**
   * @param filter without expressions, schemas and functions, which have paths of their own
   */
  public static MatchExpression of(MatchExpression filter, UnaryOperator<FieldPath> move) {
    return switch (filter) {
      case AndMatch and -> new AndMatch(of(and.children(), move));
      case OrMatch or -> new OrMatch(of(or.children(), move));
      case NorMatch nor -> new NorMatch(of(nor.children(), move));
      case NotMatch not -> new NotMatch(of(not.child(), move));
      case PathMatch leaf -> leaf(leaf, move.apply(leaf.path()));
      case AlwaysMatch always -> always;
      case SampleRateMatch sample -> sample;
      case TextMatch ignored -> throw hasOtherPaths();
      case JsonSchemaMatch ignored -> throw hasOtherPaths();
      case WhereMatch ignored -> throw hasOtherPaths();
      case ExprMatch ignored -> throw hasOtherPaths();
    };
  }

  /** Whether all paths of a filter can be moved. */
  public static boolean isPossible(MatchExpression filter) {
    return switch (filter) {
      case AndMatch and -> and.children().stream().allMatch(MovedMatch::isPossible);
      case OrMatch or -> or.children().stream().allMatch(MovedMatch::isPossible);
      case NorMatch nor -> nor.children().stream().allMatch(MovedMatch::isPossible);
      case NotMatch not -> isPossible(not.child());
      case PathMatch ignored -> true;
      case AlwaysMatch ignored -> true;
      case SampleRateMatch ignored -> true;
      case TextMatch ignored -> false;
      case JsonSchemaMatch ignored -> false;
      case WhereMatch ignored -> false;
      case ExprMatch ignored -> false;
    };
  }

  private static List<MatchExpression> of(
      List<MatchExpression> filters, UnaryOperator<FieldPath> move) {
    return filters.stream().map(filter -> of(filter, move)).toList();
  }

  private static PathMatch leaf(PathMatch leaf, FieldPath path) {
    return switch (leaf) {
      case ComparisonMatch m ->
          new ComparisonMatch(m.comparison(), path, m.operand(), m.collated(), m.meter());
      case InMatch m ->
          new InMatch(
              path,
              m.equalities(),
              m.regexes().stream().map(regex -> regex.at(path)).toList(),
              m.collated(),
              m.meter());
      case ExistsMatch m -> new ExistsMatch(path, m.meter());
      case TypeMatch m -> new TypeMatch(path, m.types(), m.meter());
      case ModMatch m -> new ModMatch(path, m.divisor(), m.remainder(), m.meter());
      case RegexMatch m -> m.at(path);
      case BitsMatch m -> new BitsMatch(m.test(), path, m.positions(), m.meter());
      case SizeMatch m -> new SizeMatch(path, m.size(), m.meter());
      case ExprComparisonMatch m ->
          new ExprComparisonMatch(m.comparison(), path, m.operand(), m.meter());
      case GeoMatch m -> new GeoMatch(path, m.source(), m.within(), m.area(), m.meter());
      case NearMatch m -> m;
      case ElemMatchObject m -> new ElemMatchObject(path, m.condition(), m.meter());
      case ElemMatchValue m -> new ElemMatchValue(path, m.conditions(), m.meter());
    };
  }

  private static IllegalArgumentException hasOtherPaths() {
    return new IllegalArgumentException("a filter with paths of another kind");
  }
}
