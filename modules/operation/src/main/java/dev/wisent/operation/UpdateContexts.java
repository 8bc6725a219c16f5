package dev.wisent.operation;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.ObjectIds;
import dev.wisent.pipeline.UpdateStages;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.update.UpdateContext;
import java.util.concurrent.atomic.AtomicLong;

/** Time, timestamps and ids for updates. */
public final class UpdateContexts {
  private UpdateContexts() {}

  public static UpdateContext of(Clock clock, RandomSource random) {
    var last = new AtomicLong();
    return new UpdateContext(
        QueryContext.of(clock::wallMillis, random::nextDouble),
        () -> last.updateAndGet(previous -> nextTimestamp(clock, previous)),
        new ObjectIds(clock, random),
        UpdateStages::parse);
  }

  /** The current second with increment 1, or the one after the previous timestamp. */
  private static long nextTimestamp(Clock clock, long previous) {
    long second = (clock.wallMillis() / 1000) << 32;
    // Without a sign: from 2038 on the highest bit is set.
    return Long.compareUnsigned(second | 1, previous) > 0 ? second | 1 : previous + 1;
  }
}
