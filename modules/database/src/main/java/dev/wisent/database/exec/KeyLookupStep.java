package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;

/** The one record that is wanted of those with a key within bounds, with its document. */
final class KeyLookupStep extends KeyScanStep {
  private boolean done;
  private RawDocument document;

  KeyLookupStep(StageStats stats, PlanNode.KeyLookup node, StepContext context) {
    super(stats, node.index(), node.bounds(), false, false, context);
  }

  @Override
  Outcome step() {
    if (done) {
      return Outcome.END;
    }
    Outcome outcome = keys.advance();
    if (outcome == Outcome.ADVANCED) {
      done = true;
      document = keys.readDocument();
      stats.documentsExamined++;
    }
    return outcome;
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
