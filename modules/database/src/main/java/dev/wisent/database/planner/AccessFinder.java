package dev.wisent.database.planner;

import dev.wisent.database.index.Index;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.OrMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the ways to the documents of a filter that its conditions open in some indexes. */
final class AccessFinder {
  /** As many as a collection has indexes; more are not worth trying. */
  private static final int ACCESSES_MAX = 64;

  private static final Comparator<Access> BEST_FIRST =
      Comparator.comparingInt(Access::score).reversed();

  private final List<Index> indexes;
  private final PlanLimits limits;

  AccessFinder(List<Index> indexes, PlanLimits limits) {
    this.indexes = indexes;
    this.limits = limits;
  }

  /** The ways for a filter in its normal form, the most promising first; maybe none. */
  List<Access> find(MatchExpression filter) {
    return filter instanceof OrMatch or
        ? unions(or, List.of())
        : conjunction(Conjuncts.members(filter), true);
  }

  private List<Access> conjunction(List<MatchExpression> members, boolean withUnions) {
    List<Predicate> predicates = Predicate.of(members);
    var accesses = new ArrayList<Access>();
    for (Index index : indexes) {
      // Only $text can use that one, and has its own plans.
      if (index.kind() == Index.Kind.TEXT) {
        continue;
      }
      if (index.partialFilter() != null && !Implication.holds(members, index.partialFilter())) {
        continue;
      }
      for (IndexView view : IndexView.of(index, predicates)) {
        IndexAccess access = IndexAccessBuilder.build(view, members, predicates);
        if (access != null && access.isOnePlace()) {
          return List.of(Access.of(access));
        }
        if (access != null) {
          accesses.add(Access.of(access));
        }
      }
    }
    if (withUnions) {
      for (int i = 0; i < members.size(); i++) {
        if (members.get(i) instanceof OrMatch or) {
          accesses.addAll(unions(or, without(members, i)));
        }
      }
    }
    return best(accesses);
  }

  /**
   * A disjunction, each branch of it together with the other conditions. Each branch must be found
   * by what it says itself.
   */
  private List<Access> unions(OrMatch or, List<MatchExpression> others) {
    List<List<Access>> alternatives = branches(or, others);
    return alternatives.isEmpty() ? List.of() : combine(alternatives);
  }

  /** The ways of each branch of a disjunction that is the whole filter; none if one has none. */
  List<List<Access>> branches(OrMatch or) {
    return branches(or, List.of());
  }

  private List<List<Access>> branches(OrMatch or, List<MatchExpression> others) {
    var alternatives = new ArrayList<List<Access>>();
    for (MatchExpression branch : or.children()) {
      List<MatchExpression> own = Conjuncts.members(branch);
      var members = new ArrayList<>(own);
      members.addAll(others);
      List<Access> found = conjunction(members, others.isEmpty());
      if (!others.isEmpty()) {
        found = found.stream().filter(access -> usesAny(access, own.size())).toList();
      }
      if (found.isEmpty()) {
        return List.of();
      }
      alternatives.add(found);
    }
    return alternatives;
  }

  private static boolean usesAny(Access access, int ownMembers) {
    return access.only().used().stream().anyMatch(member -> member < ownMembers);
  }

  /** The best way for each branch, and then the other ways for one branch at a time. */
  private List<Access> combine(List<List<Access>> alternatives) {
    var unions = new ArrayList<Access>();
    unions.add(union(alternatives, -1, 0));
    for (int branch = 0; branch < alternatives.size(); branch++) {
      for (int i = 1; i < alternatives.get(branch).size(); i++) {
        if (unions.size() == ACCESSES_MAX) {
          limits.reachedOrSolutions();
          return unions;
        }
        unions.add(union(alternatives, branch, i));
      }
    }
    return unions;
  }

  private static Access union(List<List<Access>> alternatives, int branch, int choice) {
    var chosen = new ArrayList<Access>();
    for (int i = 0; i < alternatives.size(); i++) {
      chosen.add(alternatives.get(i).get(i == branch ? choice : 0));
    }
    return Access.union(chosen);
  }

  private static List<MatchExpression> without(List<MatchExpression> members, int index) {
    var others = new ArrayList<>(members);
    others.remove(index);
    return others;
  }

  private List<Access> best(List<Access> accesses) {
    if (accesses.size() > ACCESSES_MAX) {
      limits.reachedAndSolutions();
    }
    return accesses.stream().sorted(BEST_FIRST).limit(ACCESSES_MAX).toList();
  }
}
