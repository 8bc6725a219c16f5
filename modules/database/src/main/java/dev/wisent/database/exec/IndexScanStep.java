package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.ReadView;

/** Keys of an index within bounds; where arrays gave several keys, each record comes once. */
final class IndexScanStep extends KeyScanStep {
  private final MatchExpression filter;
  private LongSet seen;
  private long recordId;

  IndexScanStep(StageStats stats, PlanNode.IndexScan node, StepContext context) {
    super(stats, node.index(), node.bounds(), node.reverse(), context);
    this.filter = node.filter();
    expectSeveralKeys();
  }

  /** The index may also get its first array while the scan is suspended. */
  private void expectSeveralKeys() {
    if (seen == null && mayRepeatRecords()) {
      seen = new LongSet();
    }
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

  private boolean isSeen() {
    if (seen == null) {
      return false;
    }
    stats.duplicatesTested++;
    if (seen.add(recordId)) {
      return false;
    }
    stats.duplicatesDropped++;
    return true;
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument keyDocument() {
    return keys.keyDocument();
  }

  @Override
  Index index() {
    return index;
  }

  @Override
  byte[] indexKey() {
    return keys.copyKey();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    super.resume(view, under);
    expectSeveralKeys();
  }
}
