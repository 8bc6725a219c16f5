package dev.wisent.database;

import dev.wisent.base.Clock;
import dev.wisent.pipeline.UpdateStages;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.update.UpdateContext;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.types.ObjectId;

/** Time, timestamps and ids for updates. */
final class UpdateContexts {
  private UpdateContexts() {}

  static UpdateContext of(Clock clock) {
    var last = new AtomicLong();
    return new UpdateContext(
        QueryContext.of(clock::wallMillis, () -> ThreadLocalRandom.current().nextDouble()),
        () -> last.updateAndGet(previous -> nextTimestamp(clock, previous)),
        ObjectId::new,
        UpdateStages::parse);
  }

  /** The current second with increment 1, or the one after the previous timestamp. */
  private static long nextTimestamp(Clock clock, long previous) {
    long second = (clock.wallMillis() / 1000) << 32;
    // Without a sign: from 2038 on the highest bit is set.
    return Long.compareUnsigned(second | 1, previous) > 0 ? second | 1 : previous + 1;
  }
}
