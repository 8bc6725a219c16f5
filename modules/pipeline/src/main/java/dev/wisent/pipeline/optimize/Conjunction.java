package dev.wisent.pipeline.optimize;

import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ExprComparisonMatch;
import dev.wisent.query.match.ExprMatch;
import dev.wisent.query.match.MatchExpression;
import java.util.ArrayList;
import java.util.List;

/** The conditions of a filter that must all hold, each of which can be moved by itself. */
public final class Conjunction {
  private Conjunction() {}

  public static List<MatchExpression> of(MatchExpression filter) {
    var conditions = new ArrayList<MatchExpression>();
    collect(filter, conditions);
    return conditions;
  }

  private static void collect(MatchExpression filter, List<MatchExpression> conditions) {
    if (filter instanceof AndMatch and && !isExpression(and)) {
      and.children().forEach(child -> collect(child, conditions));
    } else if (filter != AlwaysMatch.TRUE) {
      conditions.add(filter);
    }
  }

  /** An expression stays together with the conditions that were derived from it. */
  private static boolean isExpression(AndMatch and) {
    List<MatchExpression> children = and.children();
    return children.getFirst() instanceof ExprMatch
        && children.stream().skip(1).allMatch(ExprComparisonMatch.class::isInstance);
  }
}
