package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.sharding.OwnedKeys;

/** The one record that is wanted of those with a key within bounds, with its document. */
final class KeyLookupStep extends KeyScanStep {
  private final OwnedKeys owned;
  private boolean done;
  private RawDocument document;

  KeyLookupStep(StageStats stats, PlanNode.KeyLookup node, StepContext context) {
    super(stats, node.index(), node.bounds(), false, false, context);
    this.owned = context.ownedKeys();
  }

  @Override
  Outcome step() {
    if (done) {
      return Outcome.END;
    }
    Outcome outcome = keys.advance();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    document = keys.readDocument();
    stats.documentsExamined++;
    done = owned == null || owned.has(document);
    return done ? Outcome.ADVANCED : Outcome.NEED_TIME;
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
