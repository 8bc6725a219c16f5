package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import dev.wisent.sharding.OwnedKeys;

/** The first key for each different value of one field. */
final class DistinctScanStep extends KeyScanStep {
  private final int field;
  private final FieldPath path;
  private final boolean withMissing;
  private final OwnedKeys owned;

  DistinctScanStep(StageStats stats, PlanNode.DistinctScan node, StepContext context) {
    super(stats, node.index(), node.bounds(), node.reverse(), false, context);
    this.field = node.field();
    this.path = index.path(field);
    this.withMissing = node.withMissing();
    this.owned = context.ownedKeys();
  }

  @Override
  Outcome step() {
    Outcome outcome = keys.advance();
    if (outcome != Outcome.ADVANCED) {
      return outcome;
    }
    if ((!withMissing && isMissing()) || !isOwned()) {
      // Another document may really have the null, or be owned.
      return Outcome.NEED_TIME;
    }
    keys.skipValue(field);
    return Outcome.ADVANCED;
  }

  private boolean isOwned() {
    if (owned == null) {
      return true;
    }
    RawDocument document = keys.readDocument();
    return document != null && owned.has(document);
  }

  /**
   * The key of a missing field is null, that of an empty array undefined: only the document knows
   * whether it has such a value.
   */
  private boolean isMissing() {
    RawValue value = keyDocument().get(path.dotted());
    if (value == null || !value.isNullish()) {
      return false;
    }
    RawDocument document = keys.readDocument();
    return document == null
        || PathWalk.find(
                path,
                RawValue.ofDocument(document),
                0,
                true,
                found -> found != null && found.type() == value.type())
            == PathWalk.NOT_FOUND;
  }
}
