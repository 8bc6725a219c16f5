package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Filters that say the same made look the same: nested conjunctions in one list, what is always
 * true or false gone, {@code $in} of one value an equality, equalities of one field in a
 * disjunction an {@code $in}, and conditions in MongoDB's order, by operator and then by path.
 * Explain shows filters so, and filters of one shape are found by it.
 */
public final class MatchNormalForm {
  private static final Comparator<MatchExpression> ORDER =
      Comparator.comparingInt(MatchNormalForm::rank)
          .thenComparing(MatchNormalForm::pathText)
          .thenComparingInt(MatchNormalForm::childCount);

  private MatchNormalForm() {}

  /** An expression that matches the same documents. */
  public static MatchExpression of(MatchExpression expression) {
    return switch (expression) {
      case AndMatch and -> and(and);
      case OrMatch or -> or(or);
      case NorMatch nor -> new NorMatch(sorted(nor.children().stream().map(MatchNormalForm::of)));
      case NotMatch not -> not(not);
      case InMatch in -> in(in);
      case ElemMatchObject match ->
          new ElemMatchObject(match.path(), of(match.condition()), match.meter());
      case ElemMatchValue match ->
          new ElemMatchValue(
              match.path(),
              match.conditions().stream().map(MatchNormalForm::of).toList(),
              match.meter());
      case PathMatch other -> other;
      case AlwaysMatch other -> other;
      case SampleRateMatch other -> other;
      case TextMatch other -> other;
      case JsonSchemaMatch other -> other;
      case WhereMatch other -> other;
      case ExprMatch other -> other;
    };
  }

  private static MatchExpression and(AndMatch and) {
    var flat = new ArrayList<MatchExpression>();
    for (MatchExpression child : and.children()) {
      MatchExpression normal = of(child);
      if (normal == AlwaysMatch.FALSE) {
        return AlwaysMatch.FALSE;
      }
      if (normal instanceof AndMatch inner) {
        flat.addAll(inner.children());
      } else if (normal != AlwaysMatch.TRUE) {
        flat.add(normal);
      }
    }
    return AndMatch.of(sorted(flat.stream()));
  }

  private static MatchExpression or(OrMatch or) {
    var flat = new ArrayList<MatchExpression>();
    for (MatchExpression child : or.children()) {
      MatchExpression normal = of(child);
      if (normal == AlwaysMatch.TRUE) {
        return AlwaysMatch.TRUE;
      }
      if (normal instanceof OrMatch inner) {
        flat.addAll(inner.children());
      } else if (normal != AlwaysMatch.FALSE) {
        flat.add(normal);
      }
    }
    List<MatchExpression> members = withMemberships(flat);
    return switch (members.size()) {
      case 0 -> AlwaysMatch.FALSE;
      case 1 -> members.getFirst();
      default -> new OrMatch(sorted(members.stream()));
    };
  }

  /** Equalities of one field are one {@code $in}, for which one scan of an index is enough. */
  private static List<MatchExpression> withMemberships(List<MatchExpression> conditions) {
    var byPath = new LinkedHashMap<Object, List<MatchExpression>>();
    for (MatchExpression condition : conditions) {
      Object key = isMembership(condition) ? ((PathMatch) condition).path() : condition;
      byPath.computeIfAbsent(key, path -> new ArrayList<>()).add(condition);
    }
    var merged = new ArrayList<MatchExpression>(byPath.size());
    byPath.forEach(
        (key, same) -> merged.add(same.size() == 1 ? same.getFirst() : merge(key, same)));
    return merged;
  }

  private static MatchExpression merge(Object key, List<MatchExpression> same) {
    return key instanceof FieldPath path ? membership(path, same) : same.getFirst();
  }

  private static boolean isMembership(MatchExpression condition) {
    return switch (condition) {
      case ComparisonMatch comparison -> comparison.isEquality();
      case InMatch ignored -> true;
      case RegexMatch ignored -> true;
      default -> false;
    };
  }

  private static MatchExpression membership(FieldPath path, List<MatchExpression> conditions) {
    var equalities = new ArrayList<RawValue>();
    var regexes = new ArrayList<RegexMatch>();
    // All conditions of a filter have one collation; those that need none do not name it.
    Collation collation = null;
    for (MatchExpression condition : conditions) {
      switch (condition) {
        case ComparisonMatch comparison -> {
          equalities.add(comparison.operand());
          collation = collation == null ? comparison.collation() : collation;
        }
        case InMatch in -> {
          equalities.addAll(in.equalities());
          regexes.addAll(in.regexes());
          collation = collation == null ? in.collation() : collation;
        }
        case RegexMatch regex -> regexes.add(regex);
        default -> throw new IllegalArgumentException("no membership: " + condition);
      }
    }
    return in(
        InMatch.of(
            path, equalities, regexes, collation, ((PathMatch) conditions.getFirst()).meter()));
  }

  private static MatchExpression not(NotMatch not) {
    MatchExpression child = of(not.child());
    return switch (child) {
      case NotMatch twice -> twice.child();
      case AlwaysMatch always -> always == AlwaysMatch.TRUE ? AlwaysMatch.FALSE : AlwaysMatch.TRUE;
      default -> new NotMatch(child);
    };
  }

  private static MatchExpression in(InMatch in) {
    if (!in.regexes().isEmpty()) {
      boolean onlyOne = in.equalities().isEmpty() && in.regexes().size() == 1;
      return onlyOne ? in.regexes().getFirst() : in;
    }
    return switch (in.equalities().size()) {
      case 0 -> AlwaysMatch.FALSE;
      case 1 ->
          ComparisonMatch.of(
              Comparison.EQ, in.path(), in.equalities().getFirst(), in.collation(), in.meter());
      default -> in;
    };
  }

  private static List<MatchExpression> sorted(Stream<MatchExpression> conditions) {
    return conditions.sorted(ORDER).toList();
  }

  /** MongoDB's order of operators. */
  private static int rank(MatchExpression expression) {
    return switch (expression) {
      case AndMatch ignored -> 0;
      case OrMatch ignored -> 1;
      case ElemMatchObject ignored -> 2;
      case ElemMatchValue ignored -> 3;
      case SizeMatch ignored -> 4;
      case ComparisonMatch match ->
          switch (match.comparison()) {
            case EQ -> 5;
            case LTE -> 6;
            case LT -> 7;
            case GT -> 8;
            case GTE -> 9;
          };
      case RegexMatch ignored -> 10;
      case ModMatch ignored -> 11;
      case ExistsMatch ignored -> 12;
      case InMatch ignored -> 13;
      case BitsMatch match -> 14 + match.test().ordinal();
      case NotMatch ignored -> 18;
      case NorMatch ignored -> 19;
      case TypeMatch ignored -> 20;
      case AlwaysMatch ignored -> 21;
      case SampleRateMatch ignored -> 22;
      case TextMatch ignored -> 23;
      case JsonSchemaMatch ignored -> 24;
      case WhereMatch ignored -> 25;
      case ExprComparisonMatch match -> 26 + match.comparison().ordinal();
      case ExprMatch ignored -> 31;
      case GeoMatch ignored -> 21;
      case NearMatch ignored -> 32;
    };
  }

  private static String pathText(MatchExpression expression) {
    FieldPath path =
        switch (expression) {
          case PathMatch match -> match.path();
          case NotMatch not when not.child() instanceof PathMatch match -> match.path();
          default -> null;
        };
    return path == null ? "" : path.dotted();
  }

  private static int childCount(MatchExpression expression) {
    return switch (expression) {
      case AndMatch and -> and.children().size();
      case OrMatch or -> or.children().size();
      case NorMatch nor -> nor.children().size();
      default -> 0;
    };
  }
}
