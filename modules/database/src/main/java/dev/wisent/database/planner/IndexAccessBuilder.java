package dev.wisent.database.planner;

import dev.wisent.database.plan.Conjuncts;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.Intervals;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.PredicateBounds;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.bounds.Tightness;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.TypeMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds what a conjunction says about the fields of an index, which of it can be used together, and
 * what is left to be asked of keys and documents.
 */
final class IndexAccessBuilder {
  private final IndexView view;
  private final List<MatchExpression> conjuncts;
  private final List<Predicate> predicates;
  private final List<Chosen> chosen = new ArrayList<>();

  /** A condition that makes bounds for a part of the keys. */
  private record Chosen(Predicate predicate, int part, PredicateBounds bounds) {}

  private IndexAccessBuilder(
      IndexView view, List<MatchExpression> conjuncts, List<Predicate> predicates) {
    this.view = view;
    this.conjuncts = conjuncts;
    this.predicates = predicates;
  }

  /** Null if the conjunction says nothing about the first field, or the index lacks documents. */
  static IndexAccess build(
      IndexView view, List<MatchExpression> conjuncts, List<Predicate> predicates) {
    var builder = new IndexAccessBuilder(view, conjuncts, predicates);
    builder.choose();
    return builder.isUsable() ? builder.toAccess() : null;
  }

  private void choose() {
    for (int part = 0; part < view.parts().size(); part++) {
      for (Chosen candidate : candidates(part)) {
        if (isCombinable(candidate)) {
          chosen.add(candidate);
        }
      }
    }
  }

  /** The conditions on a part, the most selective kinds first. */
  private List<Chosen> candidates(int part) {
    KeyPart keyPart = view.parts().get(part);
    var candidates = new ArrayList<Chosen>();
    for (Predicate predicate : predicates) {
      if (!predicate.path().equals(keyPart.path())
          || (!predicate.scopes().isEmpty() && keyPart.mayPickElements())) {
        continue;
      }
      PredicateBounds bounds = view.bounds(predicate, keyPart);
      if (bounds != null) {
        candidates.add(new Chosen(predicate, part, bounds));
      }
    }
    candidates.sort(Comparator.comparingInt(IndexAccessBuilder::rank));
    return candidates;
  }

  private static int rank(Chosen candidate) {
    var field = new FieldIntervals("", candidate.bounds().intervals());
    if (field.isPoints()) {
      return field.intervals().size() <= 1 ? 0 : 1;
    }
    return field.isAll() ? 4 : field.intervals().size() == 1 ? 2 : 3;
  }

  private boolean isCombinable(Chosen candidate) {
    KeyPart part = view.parts().get(candidate.part());
    for (Chosen earlier : chosen) {
      KeyPart earlierPart = view.parts().get(earlier.part());
      if (!IndexView.canCombine(earlier.predicate(), earlierPart, candidate.predicate(), part)) {
        return false;
      }
    }
    return true;
  }

  private boolean isUsable() {
    return chosen.stream().anyMatch(one -> view.needsCondition(one.part()))
        && view.hasAllThatMeet(chosen.stream().map(Chosen::predicate).toList());
  }

  private IndexAccess toAccess() {
    List<FieldIntervals> fields = new ArrayList<>(view.parts().size());
    for (int part = 0; part < view.parts().size(); part++) {
      fields.add(fieldIntervals(part));
    }
    var keyConditions = new ArrayList<MatchExpression>();
    var documentConditions = new ArrayList<MatchExpression>();
    Map<Integer, Tightness> answered = answered();
    for (int i = 0; i < conjuncts.size(); i++) {
      switch (answered.getOrDefault(i, Tightness.FETCH)) {
        case EXACT -> {}
        case KEY -> keyConditions.add(conjuncts.get(i));
        case FETCH -> documentConditions.add(conjuncts.get(i));
      }
    }
    Set<Integer> used = new HashSet<>();
    chosen.forEach(one -> used.add(one.predicate().conjunct()));
    return new IndexAccess(
        view,
        new ScanBounds.ByField(fields),
        Conjuncts.of(keyConditions),
        Conjuncts.of(documentConditions),
        used);
  }

  private FieldIntervals fieldIntervals(int part) {
    List<Interval> common = null;
    for (Chosen one : chosen) {
      if (one.part() == part) {
        List<Interval> intervals = one.bounds().intervals();
        common = common == null ? intervals : Intervals.intersection(common, intervals);
      }
    }
    KeyPart keyPart = view.parts().get(part);
    return common == null ? view.unbounded(keyPart) : new FieldIntervals(keyPart.name(), common);
  }

  /** What is still to be asked about the members that have made bounds as they are. */
  private Map<Integer, Tightness> answered() {
    var answered = new HashMap<Integer, Tightness>();
    for (Chosen one : chosen) {
      if (one.predicate().scopes().isEmpty()) {
        answered.put(one.predicate().conjunct(), tightness(one));
      }
    }
    return answered;
  }

  private Tightness tightness(Chosen one) {
    KeyPart part = view.parts().get(one.part());
    return one.bounds().tightness() == Tightness.KEY && !canAskKey(part, one.predicate())
        ? Tightness.FETCH
        : one.bounds().tightness();
  }

  private boolean canAskKey(KeyPart part, Predicate predicate) {
    return part.kind() == KeyPart.Kind.VALUE
        && !part.hasArray()
        // An array that was picked by its position is not looked into, in a key it would be.
        && !part.mayPickElements()
        && !view.isWildcard()
        && !view.hashesAroundValues()
        // The keys of an _id index do not tell the types of numbers.
        && !(view.index().isId() && predicate.condition() instanceof TypeMatch);
  }
}
