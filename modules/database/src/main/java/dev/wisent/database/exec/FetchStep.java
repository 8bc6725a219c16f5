package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.Metadata;
import dev.wisent.storage.ReadView;

/** The documents of rows that have only a record id, those that match. */
final class FetchStep extends UnaryStep {
  private final MatchExpression filter;
  private final RecordWalk records;
  private final WorkMeter meter;
  private RawDocument document;

  FetchStep(StageStats stats, Step input, PlanNode.Fetch node, StepContext context) {
    super(stats, input);
    this.filter = node.filter();
    this.records = new RecordWalk(context.collection(), context.view());
    this.meter = context.operation().query().meter();
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    document = input.document();
    if (document != null) {
      return filtered(Metadata.remove(document));
    }
    document = records.read(input.recordId());
    if (document == null || (input.isFromBefore() && !stillHasKey())) {
      return Outcome.NEED_TIME;
    }
    return filtered(document);
  }

  private Outcome filtered(RawDocument asked) {
    stats.documentsExamined++;
    return filter == null || filter.matches(asked) ? Outcome.ADVANCED : Outcome.NEED_TIME;
  }

  /** The bounds were checked on the key alone, so the document must still have it. */
  private boolean stillHasKey() {
    Index index = input.index();
    var entries = new IndexEntries(meter);
    index.collect(document, entries);
    return entries.find(input.indexKey()) >= 0;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  boolean isFromBefore() {
    return false;
  }

  @Override
  void suspendStep() {
    super.suspendStep();
    records.close();
  }

  @Override
  void resume(ReadView newer, OperationContext under) {
    super.resume(newer, under);
    records.resume(newer);
  }

  @Override
  public void close() {
    records.close();
    super.close();
  }
}
