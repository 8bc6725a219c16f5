package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the plans of a query.
 *
 * <p>A query by {@code _id} alone has no business here: {@link Query#exactId} finds it before
 * anything is parsed, and its plan is {@link PlanNode.IdLookup}.
 */
public final class Planner {
  private Planner() {}

  /**
   * The plans that can answer a query, at least one, the best guess first. Several are to be raced.
   * The caller holds one of the collection's locks and took its snapshot before.
   *
   * <p>What the trees are like:
   *
   * <ul>
   *   <li>For {@code find} the tree is complete: fetch, sort, skip, limit and projection are steps
   *       of it. {@code showRecordId} is not a step. A covered projection stands above an index
   *       scan without {@link PlanNode.Fetch}. An index key has null for a missing field too, so
   *       whoever makes documents from keys must look into the document where it meets a null.
   *   <li>For writes and for values to be made distinct each row has its document.
   *   <li>For {@code count} rows have no documents where the index answers alone; skip and limit
   *       are not steps, the one who counts sees to them.
   *   <li>For {@code distinct} the leaf is a {@link PlanNode.DistinctScan} without a fetch where an
   *       index gives the values; here too a null may be a missing field.
   *   <li>The filter of an {@link PlanNode.IndexScan} has conditions on paths of the index that
   *       have met no array, so each is asked with {@link MatchExpression#matchesValue} of the
   *       value in the key.
   *   <li>The rows of the inputs of {@link PlanNode.SortMerge} have index keys with all fields of
   *       the sort, below a fetch or not.
   *   <li>A multikey index may find a record several times; a scan gives it once.
   * </ul>
   *
   * @throws CommandException if the hint, min or max fit no index, or scans are refused
   */
  public static List<PlanNode> candidates(
      Collection collection, Query query, OperationContext operation) {
    List<PlanNode> plans = new CandidatePlans(collection, query, index -> true).make();
    if (operation.scansRefused() && isRefusedScan(plans.getFirst(), query, collection)) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: No indexed plans"
              + " available, and running with 'notablescan'");
    }
    return plans;
  }

  private static boolean isRefusedScan(PlanNode plan, Query query, Collection collection) {
    return query.hint() == null
        && !query.filterSource().isEmpty()
        && !collection.namespace().isInternal()
        && hasCollectionScan(plan);
  }

  private static boolean hasCollectionScan(PlanNode plan) {
    return plan instanceof PlanNode.CollectionScan
        || plan.children().stream().anyMatch(Planner::hasCollectionScan);
  }

  /** What a plan has to serve. Absent documents are empty; hint, min and max may be null. */
  public record Question(
      MatchExpression filter, RawDocument sort, RawValue hint, RawDocument min, RawDocument max) {}

  public static AccessPath choose(Collection collection, Question question) {
    RawValue naturalSort = question.sort().get(Query.NATURAL);
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
      if (index.isHidden() || index.partialFilter() != null || index.kind() != Index.Kind.ORDERED) {
        continue;
      }
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
      if (first.next() && first.name().equals(Query.NATURAL)) {
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
