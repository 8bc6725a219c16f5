package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses how to reach the records of a query: by the index whose leading fields the filter fixes
 * best, else by one that spares a sort, else by a scan.
 */
public final class Planner {
  static final String NATURAL = "$natural";

  private Planner() {}

  /** What a plan has to serve. Absent documents are empty; hint, min and max may be null. */
  public record Question(
      MatchExpression filter, RawDocument sort, RawValue hint, RawDocument min, RawDocument max) {}

  public static AccessPath choose(Collection collection, Question question) {
    RawValue naturalSort = question.sort().get(NATURAL);
    if (question.hint() != null) {
      return hinted(collection, question);
    }
    if (question.min() != null || question.max() != null) {
      throw new CommandException(
          ErrorCode.HINT_REQUIRED_FOR_MIN_MAX,
          "Planner returned error: When using min()/max() a hint of which index to use must be"
              + " provided");
    }
    if (naturalSort != null) {
      return natural(collection, naturalSort.toLong() < 0);
    }
    return best(collection, question);
  }

  private static AccessPath best(Collection collection, Question question) {
    List<MatchExpression> conditions = conjuncts(question.filter());
    AccessPath.ByIndex best = null;
    int bestScore = 0;
    for (Index index : collection.indexes()) {
      IndexBounds bounds = IndexBounds.of(index, conditions);
      int direction =
          question.sort().isEmpty() ? 1 : SortOrder.direction(index, bounds, question.sort());
      boolean sorts = !question.sort().isEmpty() && direction != 0;
      int score = score(index, bounds, sorts);
      if (score > bestScore) {
        bestScore = score;
        best = new AccessPath.ByIndex(index, bounds.ranges(), direction < 0, sorts);
      }
    }
    return best != null ? best : natural(collection, false);
  }

  private static int score(Index index, IndexBounds bounds, boolean sorts) {
    if (bounds.isWholeIndex()) {
      // A sparse index leaves documents out; only a condition on its fields makes up for that.
      return sorts && !index.isSparse() ? 1 : 0;
    }
    int score = 10 * bounds.pointFields() + (bounds.ranged() ? 5 : 0) + (sorts ? 3 : 0) + 1;
    boolean onePlace = index.isUnique() && bounds.pointFields() == index.fieldCount();
    return onePlace ? score + 1000 : score;
  }

  /** A clustered collection is kept in the order of its {@code _id}. */
  private static AccessPath natural(Collection collection, boolean reverse) {
    if (!collection.definition().isClustered()) {
      return new AccessPath.Everything(reverse);
    }
    Index index = collection.idIndex();
    return new AccessPath.ByIndex(index, IndexBounds.of(index, List.of()).ranges(), reverse, false);
  }

  private static AccessPath hinted(Collection collection, Question question) {
    RawValue hint = question.hint();
    if (hint.isDocument()) {
      ElementCursor first = hint.elements();
      if (first.next() && first.name().equals(NATURAL)) {
        return natural(collection, first.value().isNumber() && first.value().toLong() < 0);
      }
    }
    Index index = findHinted(collection, hint);
    if (index == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "error processing query: planner returned error :: caused by :: hint provided does not"
              + " correspond to an existing index");
    }
    IndexBounds bounds = IndexBounds.of(index, conjuncts(question.filter()));
    List<ByteRange> ranges = bounds.ranges();
    if (question.min() != null || question.max() != null) {
      ranges = List.of(minMax(index, question.min(), question.max()));
    }
    int direction =
        question.sort().isEmpty() ? 1 : SortOrder.direction(index, bounds, question.sort());
    return new AccessPath.ByIndex(
        index, ranges, direction < 0, direction != 0 && !question.sort().isEmpty());
  }

  private static Index findHinted(Collection collection, RawValue hint) {
    for (Index index : collection.indexes()) {
      boolean fits =
          hint.isString()
              ? index.name().equals(hint.asString())
              : sameKeys(index.definition().key(), hint.asDocument());
      if (fits) {
        return index;
      }
    }
    return null;
  }

  private static boolean sameKeys(RawDocument pattern, RawDocument hint) {
    return ValueText.of(pattern).equals(ValueText.of(hint)) || ValueOrder.equal(pattern, hint);
  }

  private static ByteRange minMax(Index index, RawDocument min, RawDocument max) {
    byte[] lower = min == null ? KeyClasses.start(index) : KeyClasses.encodeAll(index, min, "min");
    byte[] upper = max == null ? KeyClasses.end(index) : KeyClasses.encodeAll(index, max, "max");
    return new ByteRange(lower, upper);
  }

  /** Conditions that all have to hold, those of nested conjunctions included. */
  private static List<MatchExpression> conjuncts(MatchExpression filter) {
    var conditions = new ArrayList<MatchExpression>();
    collect(filter, conditions);
    return conditions;
  }

  private static void collect(MatchExpression filter, List<MatchExpression> conditions) {
    if (filter instanceof AndMatch and) {
      and.children().forEach(child -> collect(child, conditions));
    } else {
      conditions.add(filter);
    }
  }
}
