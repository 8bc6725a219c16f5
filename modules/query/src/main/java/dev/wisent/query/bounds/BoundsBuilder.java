package dev.wisent.query.bounds;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.BitsMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ElemMatchObject;
import dev.wisent.query.match.ElemMatchValue;
import dev.wisent.query.match.ExistsMatch;
import dev.wisent.query.match.ExprComparisonMatch;
import dev.wisent.query.match.GeoMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.ModMatch;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.match.RegexMatch;
import dev.wisent.query.match.SizeMatch;
import dev.wisent.query.match.TypeMatch;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * From a condition on a field to the values that an index has for documents that meet it.
 *
 * <p>What makes it more than a translation: an array is matched as a whole too, but has keys for
 * its elements only; null is also the key of a missing field, undefined that of an empty array; and
 * of elements that have no fields a path leads to nothing, yet they have the key null. Where the
 * index has a collation, bounds hold the keys of strings as the index does, and a condition that
 * compares strings otherwise says nothing about it.
 */
public final class BoundsBuilder {
  private final KeyPart part;

  /** Whether conditions are on one element of an array instead of on what is at the path. */
  private final boolean onElement;

  private BoundsBuilder(KeyPart part, boolean onElement) {
    this.part = part;
    this.onElement = onElement;
  }

  /**
   * The bounds that a condition gives for a part of an index's keys.
   *
   * @param condition on the part's path, or the opposite of one
   * @return null if the index is of no use for the condition
   */
  public static PredicateBounds of(MatchExpression condition, KeyPart part) {
    return new BoundsBuilder(part, false).bounds(condition);
  }

  /**
   * The same for a part with hashes, in which only given values can be looked up.
   *
   * @param hashes what stands in the keys for a value, with keys in the place of strings, and all
   *     that are equal to it; none if unknown
   */
  public static PredicateBounds ofHash(
      MatchExpression condition, KeyPart part, Function<RawValue, List<RawValue>> hashes) {
    PredicateBounds values = of(condition, part);
    if (values == null || !values.intervals().stream().allMatch(BoundsBuilder::canHash)) {
      return null;
    }
    var points = new ArrayList<Interval>();
    for (Interval value : values.intervals()) {
      List<RawValue> keys = hashes.apply(value.low());
      if (keys.isEmpty()) {
        return null;
      }
      keys.stream().map(Interval::point).forEach(points::add);
    }
    return new PredicateBounds(Intervals.union(points), Tightness.FETCH);
  }

  /** The one path that a condition is about, or null. */
  public static FieldPath pathOf(MatchExpression condition) {
    return switch (condition) {
      case PathMatch leaf -> leaf.path();
      case NotMatch not when not.child() instanceof PathMatch leaf -> leaf.path();
      case NotMatch not when not.child() instanceof AndMatch and -> commonPath(and);
      default -> null;
    };
  }

  private static FieldPath commonPath(AndMatch and) {
    FieldPath common = null;
    for (MatchExpression child : and.children()) {
      if (!(child instanceof PathMatch leaf) || (common != null && !leaf.path().equals(common))) {
        return null;
      }
      common = leaf.path();
    }
    return common;
  }

  /** Arrays are not in such an index. */
  private static boolean canHash(Interval interval) {
    return interval.isPoint() && !interval.low().isArray();
  }

  private PredicateBounds bounds(MatchExpression condition) {
    return switch (condition) {
      // A path by position is also tried by name, and then leads to nothing.
      case PathMatch leaf when part.mayPickElements() && leaf.matchesValue(null) -> null;
      case PathMatch leaf -> ofLeaf(leaf);
      case NotMatch not -> ofNot(not.child());
      default -> null;
    };
  }

  private PredicateBounds ofLeaf(PathMatch leaf) {
    return switch (leaf) {
      case ComparisonMatch comparison -> ofComparison(comparison);
      case InMatch in -> ofIn(in);
      case RegexMatch regex -> ofRegex(regex);
      case ExistsMatch ignored ->
          PredicateBounds.all(part.onlyPresent() ? Tightness.EXACT : Tightness.FETCH);
      case TypeMatch type -> TypeBounds.of(type);
      case ModMatch ignored ->
          new PredicateBounds(List.of(TypeBracket.of(ElementType.DOUBLE)), Tightness.KEY);
      case ElemMatchValue elemMatch -> ofElements(elemMatch);
      case ExprComparisonMatch comparison -> ofExpression(comparison);
      case ElemMatchObject ignored -> null;
      case BitsMatch ignored -> null;
      case SizeMatch ignored -> null;
      case GeoMatch ignored -> null;
      case NearMatch ignored -> null;
    };
  }

  /** Null if the index compares the operand with others in another way. */
  private PredicateBounds ofComparison(ComparisonMatch comparison) {
    RawValue operand = comparison.operand();
    if (!comparesAlike(operand, comparison.collation())) {
      return null;
    }
    return switch (comparison.comparison()) {
      case EQ -> ofEquality(operand);
      case LT, LTE, GT, GTE ->
          switch (operand.type()) {
            case ElementType.ARRAY -> PredicateBounds.all(Tightness.FETCH);
            case ElementType.NULL ->
                isInclusive(comparison) ? ofEquality(operand) : PredicateBounds.exact();
            case ElementType.MIN_KEY, ElementType.MAX_KEY -> ofExtreme(comparison);
            default -> PredicateBounds.exact(range(comparison));
          };
    };
  }

  /** A comparison across types. Keys of array elements say nothing about the array. */
  private PredicateBounds ofExpression(ExprComparisonMatch comparison) {
    if (part.hasArray() || part.mayPickElements() || part.kind() == KeyPart.Kind.PATH) {
      return null;
    }
    RawValue operand = comparison.operand();
    if (!comparesAlike(operand, null)) {
      // Under a collation an expression makes no such condition on strings.
      return null;
    }
    boolean scalarEquality =
        comparison.comparison() == ComparisonMatch.Comparison.EQ && !operand.isDocument();
    if (part.onlyPresent() && !scalarEquality) {
      // Missing fields, and in wildcard indexes documents, have no key but are compared too.
      return null;
    }
    // A missing field is less than null, but has the key null.
    boolean isNull = operand.type() == ElementType.NULL;
    RawValue key = key(operand);
    Interval interval =
        switch (comparison.comparison()) {
          case EQ -> Interval.point(key);
          case LT -> new Interval(RawValue.MIN_KEY, true, key, isNull);
          case LTE -> new Interval(RawValue.MIN_KEY, true, key, true);
          case GT -> new Interval(key, false, RawValue.MAX_KEY, true);
          case GTE -> new Interval(key, true, RawValue.MAX_KEY, true);
        };
    return new PredicateBounds(List.of(interval), Tightness.FETCH);
  }

  private boolean comparesAlike(RawValue operand, Collation collation) {
    return !Collation.affects(operand.type()) || Collation.same(collation, part.collation());
  }

  private RawValue key(RawValue value) {
    return Collation.key(part.collation(), value);
  }

  private Interval point(RawValue value) {
    return Interval.point(key(value));
  }

  private PredicateBounds ofEquality(RawValue operand) {
    if (operand.isArray()) {
      return new PredicateBounds(Intervals.union(arrayPoints(operand)), Tightness.FETCH);
    }
    PredicateBounds point = PredicateBounds.exact(point(operand));
    return operand.type() == ElementType.NULL && part.hasArray()
        ? point.atLeast(Tightness.FETCH)
        : point;
  }

  /** An array is found by its first element, or as a whole where it is an element itself. */
  private List<Interval> arrayPoints(RawValue array) {
    var elements = array.elements();
    RawValue first = elements.next() ? elements.value() : RawValue.UNDEFINED;
    return List.of(point(first), point(array));
  }

  /** Everything is between MinKey and MaxKey, an array of nothing but MinKey too. */
  private PredicateBounds ofExtreme(ComparisonMatch comparison) {
    boolean isMin = comparison.operand().type() == ElementType.MIN_KEY;
    boolean above =
        switch (comparison.comparison()) {
          case GT, GTE -> true;
          case LT, LTE, EQ -> false;
        };
    boolean inclusive = isInclusive(comparison);
    if (isMin != above) {
      return inclusive
          ? PredicateBounds.exact(Interval.point(comparison.operand()))
          : PredicateBounds.exact();
    }
    if (part.hasArray()) {
      return PredicateBounds.all(Tightness.FETCH);
    }
    return PredicateBounds.exact(
        new Interval(RawValue.MIN_KEY, inclusive || !isMin, RawValue.MAX_KEY, inclusive || isMin));
  }

  private Interval range(ComparisonMatch comparison) {
    RawValue operand = comparison.operand();
    boolean inclusive = isInclusive(comparison);
    if (isNaN(operand)) {
      // Nothing but itself compares with NaN.
      return new Interval(operand, inclusive, operand, inclusive);
    }
    Interval bracket = TypeBracket.of(operand.type());
    return switch (comparison.comparison()) {
      case LT, LTE -> {
        RawValue low =
            operand.isNumber() ? RawValue.ofDouble(Double.NEGATIVE_INFINITY) : bracket.low();
        yield new Interval(low, true, key(operand), inclusive);
      }
      case GT, GTE ->
          new Interval(key(operand), inclusive, bracket.high(), bracket.highInclusive());
      case EQ -> point(operand);
    };
  }

  private static boolean isInclusive(ComparisonMatch comparison) {
    return switch (comparison.comparison()) {
      case EQ, LTE, GTE -> true;
      case LT, GT -> false;
    };
  }

  private static boolean isNaN(RawValue value) {
    return switch (value.type()) {
      case ElementType.DOUBLE -> Double.isNaN(value.asDouble());
      case ElementType.DECIMAL128 -> value.asDecimal128().isNaN();
      default -> false;
    };
  }

  /** Null if the index compares some of the values with others in another way. */
  private PredicateBounds ofIn(InMatch in) {
    if (!in.equalities().stream().allMatch(value -> comparesAlike(value, in.collation()))) {
      return null;
    }
    var intervals = new ArrayList<Interval>(in.equalities().size());
    Tightness tightness = Tightness.EXACT;
    for (RawValue value : in.equalities()) {
      PredicateBounds one = ofEquality(value);
      intervals.addAll(one.intervals());
      tightness = tightness.or(one.tightness());
    }
    for (RegexMatch regex : in.regexes()) {
      PredicateBounds one = ofRegex(regex);
      intervals.addAll(one.intervals());
      tightness = tightness.or(one.tightness());
    }
    return new PredicateBounds(Intervals.union(intervals), tightness);
  }

  private PredicateBounds ofRegex(RegexMatch regex) {
    return part.collation() == null ? RegexBounds.of(regex) : RegexBounds.ofAnyString(regex);
  }

  /** One element meets all the conditions, and it has a key of its own. */
  private PredicateBounds ofElements(ElemMatchValue elemMatch) {
    if (part.mayPickElements()) {
      return null;
    }
    if (onElement) {
      // An array inside an array is one key; its elements have none.
      return new PredicateBounds(List.of(TypeBracket.of(ElementType.ARRAY)), Tightness.FETCH);
    }
    var element =
        new BoundsBuilder(
            new KeyPart(
                part.name(),
                part.path(),
                part.kind(),
                part.descending(),
                0,
                true,
                part.collation()),
            true);
    List<Interval> intervals = element.intersection(elemMatch.conditions());
    return intervals == null ? null : new PredicateBounds(intervals, Tightness.FETCH);
  }

  /** Null if none of the conditions says anything. */
  private List<Interval> intersection(List<MatchExpression> conditions) {
    List<Interval> common = null;
    for (MatchExpression condition : conditions) {
      PredicateBounds one = bounds(condition);
      if (one != null) {
        common = common == null ? one.intervals() : Intervals.intersection(common, one.intervals());
      }
    }
    return common;
  }

  private PredicateBounds ofNot(MatchExpression child) {
    if (child instanceof ExistsMatch) {
      return new PredicateBounds(List.of(Interval.point(RawValue.NULL)), Tightness.FETCH);
    }
    List<Interval> matched = exactly(child);
    if (matched == null) {
      return null;
    }
    List<Interval> others = Intervals.complement(matched);
    boolean hasElements = part.hasArrayOnTheWay() || part.mayPickElements();
    if (hasElements && !Intervals.contains(others, RawValue.NULL)) {
      // The key null of an element without fields is no value that the condition has looked at.
      return null;
    }
    return new PredicateBounds(others, hasSeveralValues() ? Tightness.FETCH : Tightness.EXACT);
  }

  private boolean hasSeveralValues() {
    return part.hasArray() || part.mayPickElements();
  }

  /** The values that meet a condition, if that can be told from a value; else null. */
  private List<Interval> exactly(MatchExpression condition) {
    return switch (condition) {
      case ComparisonMatch comparison when !comparison.operand().isArray() -> {
        PredicateBounds bounds = ofComparison(comparison);
        boolean told = bounds != null && (bounds.isExact() || comparison.operand().isNullish());
        yield told ? bounds.intervals() : null;
      }
      case InMatch in when in.equalities().stream().noneMatch(RawValue::isArray) -> {
        PredicateBounds bounds = in.regexes().isEmpty() ? ofIn(in) : null;
        yield bounds == null ? null : bounds.intervals();
      }
      case AndMatch and when !hasSeveralValues() -> {
        List<Interval> common = List.of(Interval.ALL);
        for (MatchExpression child : and.children()) {
          List<Interval> one = exactly(child);
          if (one == null) {
            yield null;
          }
          common = Intervals.intersection(common, one);
        }
        yield common;
      }
      default -> null;
    };
  }
}
