package dev.wisent.operation.index;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.ExistsMatch;
import dev.wisent.query.match.FilterPlace;
import dev.wisent.query.match.GeoMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.TypeMatch;
import java.util.List;

/**
 * The {@code partialFilterExpression} of an index: only conditions of which the planner can say
 * whether a query implies them.
 */
final class PartialFilterCheck {
  /** MongoDB's limit since 6.0. */
  private static final int DEPTH_MAX = 4;

  private final RawDocument filter;

  private PartialFilterCheck(RawDocument filter) {
    this.filter = filter;
  }

  static void check(RawDocument filter) {
    if (!filter.isEmpty()) {
      new PartialFilterCheck(filter)
          .check(MatchParser.parse(filter, QueryContexts.ofRules(null), FilterPlace.PLAIN), 1);
    }
  }

  private void check(MatchExpression expression, int depth) {
    if (depth > DEPTH_MAX) {
      throw IndexKeyCheck.cannotCreate("partialFilterExpression depth may not exceed " + DEPTH_MAX);
    }
    switch (expression) {
      case AndMatch and -> checkAll(and.children(), depth);
      case OrMatch or -> checkAll(or.children(), depth);
      case ComparisonMatch ignored -> {}
      case ExistsMatch ignored -> {}
      case TypeMatch ignored -> {}
      case InMatch ignored -> {}
      case GeoMatch ignored -> {}
      default ->
          throw IndexKeyCheck.cannotCreate(
              "Expression not supported in partial index: " + ValueText.of(filter));
    }
  }

  private void checkAll(List<MatchExpression> children, int depth) {
    children.forEach(child -> check(child, depth + 1));
  }
}
