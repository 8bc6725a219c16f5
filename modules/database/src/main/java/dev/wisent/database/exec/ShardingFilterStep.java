package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Orphans;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.ReadView;

/**
 * Leaves out rows whose shard keys this shard does not own in the state that is read. Where all
 * states so far have no such documents it asks none.
 */
final class ShardingFilterStep extends UnaryStep {
  private final OwnedRanges ranges;
  private final OwnedKeys owned;
  private final DocumentOwnership ownership;
  private final Orphans orphans;
  private boolean none;

  ShardingFilterStep(StageStats stats, Step input, StepContext context) {
    super(stats, input);
    this.ranges = context.owned();
    this.owned = new OwnedKeys(ranges);
    this.ownership = context.ownership();
    this.orphans = context.collection().orphans();
    this.none = orphans.areNone((FixedView) context.view());
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (none || outcome != Outcome.ADVANCED || isOwned()) {
      return outcome;
    }
    stats.chunkSkips++;
    return Outcome.NEED_TIME;
  }

  private boolean isOwned() {
    RawDocument document = input.document();
    return document == null ? owned.hasIndexKey(input.keyDocument()) : owned.has(document);
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    FixedView state = (FixedView) view;
    // Documents that were not owned when the cursor was opened may be no orphans by now.
    none = none && orphans.areNone(state) && ownership.isStillOwned(ranges, state);
    super.resume(view, under);
  }
}
