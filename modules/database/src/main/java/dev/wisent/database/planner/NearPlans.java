package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.Conjuncts;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The plans of a query by distance, which only an index of places can answer. */
final class NearPlans {
  private final NearMatch near;
  private final List<MatchExpression> members;
  private final Set<MetaType> metadata;

  /**
   * @param members the conditions of the filter, the near among them
   */
  NearPlans(Query query, NearMatch near, List<MatchExpression> members) {
    this.near = near;
    this.members = members;
    this.metadata = query.metadata();
    if (members.stream().anyMatch(member -> TextMatch.in(member) != null)) {
      throw refused("text and geoNear not allowed in same query");
    }
    if (query.isNaturalSort()) {
      throw refused("geoNear expression not allowed with $natural sort order");
    }
    if (IndexHints.natural(query.hint()) != 0) {
      throw refused("geoNear expression not allowed with $natural hint");
    }
    if (query.tailable()) {
      throw refused("Tailable cursors and geo $near cannot be used together");
    }
  }

  private static CommandException refused(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** One for each index that can do it; at least one. */
  List<PlanNode> over(List<Index> indexes) {
    var plans = new ArrayList<PlanNode>();
    List<Predicate> predicates = Predicate.of(members);
    for (Index index : indexes) {
      if (index.cells() != null
          && (index.partialFilter() == null || Implication.holds(members, index.partialFilter()))) {
        IndexAccess access = IndexAccessBuilder.build(IndexView.of(index), members, predicates);
        if (access != null && access.used().contains(members.indexOf(near))) {
          plans.add(plan(access));
        }
      }
    }
    if (plans.isEmpty()) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: planner returned error :: caused by :: unable to find index for"
              + " $geoNear query");
    }
    return plans;
  }

  private PlanNode plan(IndexAccess access) {
    var filters = new ArrayList<MatchExpression>();
    if (access.keyFilter() != null) {
      filters.add(access.keyFilter());
    }
    if (access.filter() != null) {
      filters.add(access.filter());
    }
    return new PlanNode.GeoNear(
        access.index(),
        new ScanBounds.ByField(access.fields()),
        near.query(),
        Conjuncts.of(filters),
        metadata);
  }
}
