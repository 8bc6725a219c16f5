package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.StageStats;
import dev.wisent.sharding.OwnedKeys;

/** Leaves out rows whose shard keys this shard does not own in the state that is read. */
final class ShardingFilterStep extends UnaryStep {
  private final OwnedKeys owned;

  ShardingFilterStep(StageStats stats, Step input, StepContext context) {
    super(stats, input);
    this.owned = context.ownedKeys();
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome != Outcome.ADVANCED || isOwned()) {
      return outcome;
    }
    stats.chunkSkips++;
    return Outcome.NEED_TIME;
  }

  private boolean isOwned() {
    RawDocument document = input.document();
    return document == null ? owned.hasIndexKey(input.keyDocument()) : owned.has(document);
  }
}
