package dev.wisent.database.planner;

import dev.wisent.database.plan.Conjuncts;
import dev.wisent.query.bounds.BoundsBuilder;
import dev.wisent.query.match.ElemMatchObject;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition on one path, out of a conjunction or from within an {@code $elemMatch} there.
 *
 * @param conjunct which member of the conjunction it comes from
 * @param path the whole path
 * @param condition what the values at the path have to meet
 * @param scopes the {@code $elemMatch} around it, the outermost first
 */
record Predicate(int conjunct, FieldPath path, MatchExpression condition, List<Scope> scopes) {
  /** An {@code $elemMatch} and how many parts the path to its array has. */
  record Scope(ElemMatchObject elemMatch, int parts) {}

  Predicate {
    scopes = List.copyOf(scopes);
  }

  static List<Predicate> of(List<MatchExpression> conjuncts) {
    var predicates = new ArrayList<Predicate>();
    for (int i = 0; i < conjuncts.size(); i++) {
      collect(i, conjuncts.get(i), "", List.of(), predicates);
    }
    return predicates;
  }

  private static void collect(
      int conjunct,
      MatchExpression condition,
      String prefix,
      List<Scope> scopes,
      List<Predicate> predicates) {
    if (condition instanceof ElemMatchObject elemMatch) {
      FieldPath path = FieldPath.of(prefix + elemMatch.path().dotted());
      var inner = new ArrayList<>(scopes);
      inner.add(new Scope(elemMatch, path.length()));
      for (MatchExpression member : Conjuncts.members(elemMatch.condition())) {
        collect(conjunct, member, path.dotted() + ".", inner, predicates);
      }
      return;
    }
    FieldPath path = BoundsBuilder.pathOf(condition);
    if (path != null) {
      FieldPath whole = prefix.isEmpty() ? path : FieldPath.of(prefix + path.dotted());
      predicates.add(new Predicate(conjunct, whole, condition, scopes));
    }
  }

  /**
   * Of how many leading parts both conditions mean the same array elements, because they are in the
   * same {@code $elemMatch}.
   */
  int partsSharedWith(Predicate other) {
    int parts = 0;
    for (int i = 0; i < Math.min(scopes.size(), other.scopes.size()); i++) {
      if (scopes.get(i).elemMatch() != other.scopes.get(i).elemMatch()) {
        break;
      }
      parts = scopes.get(i).parts();
    }
    return parts;
  }

  /** Whether a document without the field may meet the condition. */
  boolean matchesMissing() {
    return condition.matchesValue(null);
  }
}
