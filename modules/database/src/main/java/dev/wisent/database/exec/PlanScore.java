package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;

/**
 * How good a plan was in a race, by MongoDB's formula: what part of its works gave a row, a little
 * more for what makes no difference in that but in the end, and a lot for having finished.
 */
final class PlanScore {
  private static final double BASE = 1;
  private static final double END_BONUS = 1;
  private static final double TIE_BREAKER_MAX = 1e-4;

  private PlanScore() {}

  static double of(StageStats root) {
    double productivity = (double) root.advanced / root.works;
    double tieBreaker = Math.min(1.0 / (10 * root.works), TIE_BREAKER_MAX);
    double score = BASE + productivity;
    if (!has(root.node(), PlanNode.Fetch.class)) {
      score += tieBreaker;
    }
    if (!has(root.node(), PlanNode.Sort.class)) {
      score += tieBreaker;
    }
    // No plan here intersects indexes.
    score += tieBreaker;
    return root.ended ? score + END_BONUS : score;
  }

  private static boolean has(PlanNode plan, Class<? extends PlanNode> kind) {
    return kind.isInstance(plan) || plan.children().stream().anyMatch(child -> has(child, kind));
  }
}
