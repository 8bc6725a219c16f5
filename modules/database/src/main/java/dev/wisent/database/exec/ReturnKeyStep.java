package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.StageStats;

/** The key that a row was found by instead of its document; nothing where there is no key. */
final class ReturnKeyStep extends UnaryStep {
  private RawDocument document;

  ReturnKeyStep(StageStats stats, Step input) {
    super(stats, input);
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome == Outcome.ADVANCED) {
      RawDocument key = input.keyDocument();
      document = key == null ? RawDocument.EMPTY : key;
    }
    return outcome;
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
