package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.RecordRange;
import dev.wisent.database.planner.PlanAssembler.Assembled;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The plans for one query: by the indexes that its conditions can use; if none of those gives the
 * order that is wanted, also by those that do; a scan of the collection only if there is no other.
 */
final class CandidatePlans {
  private final Collection collection;
  private final Query query;
  private final Predicate<Index> allowed;
  private final MatchExpression filter;
  private final PlanLimits limits;
  private final PlanAssembler assembler;

  /**
   * @param allowed which indexes may be used, unless one is hinted
   */
  CandidatePlans(Collection collection, Query query, Predicate<Index> allowed, PlanLimits limits) {
    this.collection = collection;
    this.query = query;
    this.allowed = allowed;
    this.filter = MatchNormalForm.of(query.filter());
    this.limits = limits;
    this.assembler = new PlanAssembler(query, limits);
  }

  List<PlanNode> make() {
    boolean hasEnds = query.min() != null || query.max() != null;
    int natural = IndexHints.natural(query.hint());
    if (hasEnds && (query.hint() == null || natural != 0)) {
      throw IndexHints.hintMissing();
    }
    if (query.sample() != null) {
      return List.of(assembler.overDocuments(new PlanNode.RandomCursor(query.sample())));
    }
    NearMatch near = NearMatch.of(filter);
    if (near != null) {
      return nearPlans(near);
    }
    if (TextMatch.in(filter) != null) {
      boolean scores = query.metadata().contains(MetaType.TEXT_SCORE);
      var text = new TextPlans(usable(), limits, scores);
      return List.of(assembler.overDocuments(text.documents(filter)));
    }
    if (query.tailable()) {
      return List.of(assembler.overDocuments(collectionScan(false, true)));
    }
    if (natural != 0) {
      return List.of(scan(natural < 0));
    }
    if (query.hint() != null) {
      Index hinted = IndexHints.hinted(collection, query.hint());
      return hasEnds ? List.of(betweenEnds(hinted)) : byHinted(hinted);
    }
    if (filter == AlwaysMatch.FALSE) {
      return List.of(new PlanNode.Eof());
    }
    if (query.isNaturalSort()) {
      return List.of(scan(query.isReverseNaturalSort()));
    }
    return byAny();
  }

  private List<PlanNode> nearPlans(NearMatch near) {
    List<Index> indexes =
        query.hint() == null || IndexHints.natural(query.hint()) != 0
            ? usable()
            : List.of(IndexHints.hinted(collection, query.hint()));
    return new NearPlans(query, near, Conjuncts.members(filter))
        .over(indexes).stream().map(assembler::overDocuments).toList();
  }

  /**
   * The branches of a disjunction, each to be planned by itself; null where that makes no
   * difference.
   */
  Branches branches() {
    if (!(filter instanceof OrMatch or)
        || query.hint() != null
        || query.min() != null
        || query.max() != null
        || query.tailable()
        || query.isNaturalSort()
        || TextMatch.in(filter) != null) {
      return null;
    }
    List<List<Access>> ways = new AccessFinder(usable(), limits).branches(or);
    return ways.stream().allMatch(way -> way.size() == 1)
        ? null
        : new Branches(query, limits, or, ways, chosen -> byAccesses(List.of(chosen), usable()));
  }

  /** What documents have to be asked; null for nothing. */
  private MatchExpression documentFilter() {
    return filter == AlwaysMatch.TRUE ? null : filter;
  }

  /** All documents; a clustered collection is kept in the order of its {@code _id}. */
  private PlanNode scan(boolean reverse) {
    PlanNode documents =
        collection.definition().isClustered() && collection.hasIdIndex()
            ? new PlanNode.Fetch(
                IndexAccess.whole(IndexView.of(collection.idIndex()), null).scan(reverse),
                documentFilter())
            : collectionScan(reverse, false);
    return assembler.overDocuments(documents);
  }

  private PlanNode collectionScan(boolean reverse, boolean tailable) {
    RecordRange range = collection.isOplog() ? RecordRange.inOplog(filter) : null;
    return new PlanNode.CollectionScan(reverse, tailable, range, documentFilter());
  }

  private PlanNode betweenEnds(Index index) {
    IndexHints.checkEnds(index, query.min(), query.max(), query.collation());
    var ends = new ScanBounds.ByKey(query.min(), query.max());
    var access = new IndexAccess(IndexView.of(index), ends, null, documentFilter(), Set.of());
    return assembler.over(Access.of(access)).plan();
  }

  private List<PlanNode> byHinted(Index index) {
    List<PlanNode> plans = byConditions(List.of(index));
    if (!plans.isEmpty()) {
      return plans;
    }
    if (index.kind() == Index.Kind.WILDCARD) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: $hint: refusing"
              + " whole-index-scan solution, because it's a wildcard index");
    }
    return List.of(assembler.over(whole(index)).plan());
  }

  private Access whole(Index index) {
    return Access.of(IndexAccess.whole(IndexView.of(index), documentFilter()));
  }

  private List<PlanNode> byAny() {
    List<Index> indexes = usable();
    PlanNode lookup = KeyLookups.find(query, filter, indexes);
    if (lookup != null) {
      return List.of(lookup);
    }
    List<PlanNode> plans = byConditions(indexes);
    return plans.isEmpty() ? List.of(scan(false)) : plans;
  }

  private List<Index> usable() {
    return collection.indexes().stream()
        .filter(index -> !index.isHidden())
        .filter(allowed)
        .toList();
  }

  private List<PlanNode> byConditions(List<Index> indexes) {
    return byAccesses(new AccessFinder(indexes, limits).find(filter), indexes);
  }

  private List<PlanNode> byAccesses(List<Access> accesses, List<Index> indexes) {
    if (query.purpose() instanceof Query.Purpose.Distinct distinct) {
      List<PlanNode> scans = distinctScans(distinct, accesses, indexes);
      if (!scans.isEmpty()) {
        return scans;
      }
    }
    if (query.purpose() instanceof Query.Purpose.Find find && find.grouped() != null) {
      List<PlanNode> scans = groupScans(find.grouped(), accesses, indexes);
      if (!scans.isEmpty()) {
        return scans;
      }
    }
    var sorted = new ArrayList<PlanNode>();
    var others = new ArrayList<PlanNode>();
    for (Access access : accesses) {
      Assembled assembled = assembler.over(access);
      (assembled.blocking() ? others : sorted).add(subplan(assembled.plan()));
    }
    if (sorted.isEmpty() && query.sort() != null) {
      others.addAll(bySort(indexes));
    }
    sorted.addAll(others);
    return sorted;
  }

  /** A disjunction of which each branch has its own plan is shown as such. */
  private PlanNode subplan(PlanNode plan) {
    return filter instanceof OrMatch && query.hint() == null ? new PlanNode.Subplan(plan) : plan;
  }

  private List<PlanNode> distinctScans(
      Query.Purpose.Distinct distinct, List<Access> accesses, List<Index> indexes) {
    var scans = new ArrayList<PlanNode>();
    if (filter == AlwaysMatch.TRUE) {
      // A document that a sparse index lacks has no value to give.
      indexes.stream()
          .filter(index -> isComplete(index) && index.partialFilter() == null)
          .map(index -> assembler.distinct(whole(index).only(), distinct.key()))
          .forEach(scans::add);
    }
    for (Access access : accesses) {
      if (!access.isUnion()) {
        scans.add(assembler.distinct(access.only(), distinct.key()));
      }
    }
    scans.removeIf(scan -> scan == null);
    return scans;
  }

  private List<PlanNode> groupScans(
      PipelineDependencies.Grouped grouped, List<Access> accesses, List<Index> indexes) {
    var scans = new ArrayList<PlanNode>();
    if (filter == AlwaysMatch.TRUE) {
      indexes.stream()
          .filter(index -> index.kind() == Index.Kind.ORDERED && index.partialFilter() == null)
          .map(index -> assembler.grouped(whole(index).only(), grouped))
          .forEach(scans::add);
    }
    for (Access access : accesses) {
      if (!access.isUnion()) {
        scans.add(assembler.grouped(access.only(), grouped));
      }
    }
    scans.removeIf(scan -> scan == null);
    return scans;
  }

  /** Whether each document with a field of the index has a key, unless the index says otherwise. */
  private static boolean isComplete(Index index) {
    return switch (index.kind()) {
      case ORDERED, HASHED -> true;
      case WILDCARD, TEXT, SPHERE, PLANE -> false;
    };
  }

  /** Whole indexes that give the order and have all documents. */
  private List<PlanNode> bySort(List<Index> indexes) {
    var plans = new ArrayList<PlanNode>();
    for (Index index : indexes) {
      boolean complete =
          isComplete(index)
              && !index.isSparse()
              && (index.partialFilter() == null
                  || Implication.holds(filter, index.partialFilter()));
      if (complete) {
        Assembled assembled = assembler.over(whole(index));
        if (!assembled.blocking()) {
          plans.add(assembled.plan());
        }
      }
    }
    return plans;
  }
}
