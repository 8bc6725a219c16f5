package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.match.MatchExpression;

/** Keys of an index within bounds; where arrays gave several keys, each record comes once. */
final class IndexScanStep extends KeyScanStep {
  private final MatchExpression filter;
  private long recordId;

  IndexScanStep(StageStats stats, PlanNode.IndexScan node, StepContext context) {
    super(stats, node.index(), node.bounds(), node.reverse(), true, context);
    this.filter = node.filter();
  }

  @Override
  Outcome step() {
    Outcome outcome = keys.advance();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    recordId = keys.recordId();
    if (filter != null && !filter.matches(NestedFields.of(keyDocument()))) {
      return Outcome.NEED_TIME;
    }
    return isSeen() ? Outcome.NEED_TIME : Outcome.ADVANCED;
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return keys.document();
  }
}
