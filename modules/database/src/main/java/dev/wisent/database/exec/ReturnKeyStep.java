package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.CollationKeys;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.collation.Collation;

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
      document = key == null ? RawDocument.EMPTY : CollationKeys.shown(key, collation());
    }
    return outcome;
  }

  /** Of the index that the row was found by. */
  private Collation collation() {
    return input.index() == null ? null : input.index().collation();
  }

  @Override
  public RawDocument document() {
    return document;
  }
}
