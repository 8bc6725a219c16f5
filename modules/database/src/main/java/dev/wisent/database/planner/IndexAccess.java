package dev.wisent.database.planner;

import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Intervals;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.bounds.TypeBracket;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import java.util.List;
import java.util.Set;

/**
 * A way to the documents of a conjunction by one index.
 *
 * @param bounds one for each part of the keys, or the ends that min and max give
 * @param keyFilter what the key has to be asked; null for nothing
 * @param filter what the document has to be asked; null for nothing
 * @param used which members of the conjunction have made bounds
 */
record IndexAccess(
    IndexView view,
    ScanBounds bounds,
    MatchExpression keyFilter,
    MatchExpression filter,
    Set<Integer> used) {

  /** The whole index. */
  static IndexAccess whole(IndexView view, MatchExpression filter) {
    return new IndexAccess(view, new ScanBounds.ByField(all(view)), null, filter, Set.of());
  }

  static List<FieldIntervals> all(IndexView view) {
    return view.parts().stream().map(KeyPart::name).map(FieldIntervals::all).toList();
  }

  Index index() {
    return view.index();
  }

  /** The intervals of each part; of all keys where there are only ends. */
  List<FieldIntervals> fields() {
    return switch (bounds) {
      case ScanBounds.ByField byField -> byField.fields();
      case ScanBounds.ByKey ignored -> all(view);
    };
  }

  /** The same for one of several values in the leading fields. */
  IndexAccess within(List<FieldIntervals> narrower) {
    return new IndexAccess(view, new ScanBounds.ByField(narrower), keyFilter, filter, used);
  }

  PlanNode.IndexScan scan(boolean reverse) {
    return new PlanNode.IndexScan(index(), bounds, reverse, keyFilter);
  }

  /**
   * Whether the keys within the bounds have the values of a part in the order of a collation (null
   * for the simple one): always where there is nothing among them whose order depends on it.
   */
  boolean isOrderedBy(Collation collation, int part) {
    return Collation.same(index().collation(), collation) || !mayHaveStrings(part);
  }

  /** Whether the keys within the bounds have the values of a part, and not keys of strings. */
  boolean hasValues(int part) {
    return index().collation() == null || !mayHaveStrings(part);
  }

  private boolean mayHaveStrings(int part) {
    return !Intervals.intersection(fields().get(part).intervals(), TypeBracket.COLLATED).isEmpty();
  }

  /** Whether the bounds name one key at most, of an index that has it once at most. */
  boolean isOnePlace() {
    return index().isUnique() && fields().stream().allMatch(FieldIntervals::isPoint);
  }

  /** How promising the access looks before it has been tried. */
  int score() {
    int score = 0;
    for (FieldIntervals field : fields()) {
      if (field.isPoints()) {
        score += field.isPoint() ? 10 : 9;
      } else {
        return field.isAll() ? score : score + 5;
      }
    }
    return isOnePlace() ? score + 1000 : score;
  }
}
