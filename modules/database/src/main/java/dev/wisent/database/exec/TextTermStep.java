package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.storage.ReadView;

/**
 * The documents of a search for one term, each with its score. The index has them in the order of
 * their scores, so that the best come without a look at the others.
 */
final class TextTermStep extends UnaryStep {
  private final int scorePart;
  private final RecordWalk records;
  private final MetadataWriter out = new MetadataWriter();
  private RawDocument document;

  TextTermStep(StageStats stats, Step input, PlanNode.TextOr node, StepContext context) {
    super(stats, input);
    this.scorePart = TextOrStep.scorePart(node);
    this.records = new RecordWalk(context.collection(), context.view());
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    RawDocument found = records.read(input.recordId());
    if (found == null) {
      return Outcome.NEED_TIME;
    }
    stats.documentsExamined++;
    document = out.start().put(MetaType.TEXT_SCORE, input.keyNumber(scorePart)).on(found);
    return Outcome.ADVANCED;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  /** None, as of documents that several keys lead to. */
  @Override
  public RawDocument keyDocument() {
    return null;
  }

  @Override
  Index index() {
    return null;
  }

  @Override
  byte[] indexKey() {
    return null;
  }

  @Override
  void suspendStep() {
    super.suspendStep();
    records.close();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    super.resume(view, under);
    records.resume(view);
  }

  @Override
  public void close() {
    records.close();
    super.close();
  }
}
