package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.coordinator.PhaseContext;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The moment in which writers of a collection wait on all shards, until the last changes have come.
 * It does not wait long for writes that are under way, as others would wait behind it: then it
 * tries again a little later.
 */
final class ReshardEnd {
  private static final int ATTEMPTS_MAX = 30;
  private static final long DRAIN_MILLIS_MIN = 500;
  private static final long DRAIN_MILLIS_MAX = 3_000;

  /** After that writers go on, and it is tried again. */
  private static final long CHANGES_MILLIS_MAX = 5_000;

  /** After that shards let writers go on by themselves. */
  private static final long BOUND_MILLIS = CHANGES_MILLIS_MAX + 2_000;

  /** The numbers of the blocks by shards, in what is stored. */
  static final String BLOCKS = "blocks";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ReshardShards shards;
  private final ReshardingOperations shown;

  ReshardEnd(ReshardShards shards, ReshardingOperations shown) {
    this.shown = shown;
    this.shards = shards;
  }

  /**
   * Returns when writers wait and nothing is missing. Until then each shard lets writers go on by
   * itself after a while: there may be no primary of the config servers that would say so. Only
   * then the bound is taken away, because the decision can come at any time from now on.
   */
  RawDocument blockWrites(PhaseContext context) {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      // At the first attempt of this primary, what another one has left.
      RawDocument numbers = unblock(context);
      if (attempt > 1) {
        context.operation().checkNow();
        LockSupport.parkNanos(attempt * PAUSE_NANOS);
      }
      if (numbers == null) {
        continue;
      }
      shown.put(context, ReshardingOperations.State.APPLYING);
      // Also where the primary of a donor has changed: the next one copies anew.
      shards.copy(context, ReshardCoordinator.donors(context));
      shown.put(context, ReshardingOperations.State.BLOCKING);
      long start = context.operation().clock().monotonicNanos();
      long drainMillis = drain(attempt);
      if (passes(context, () -> tryOnce(context, numbers, drainMillis))) {
        long nanos = context.operation().clock().monotonicNanos() - start;
        return new BsonBuilder()
            .appendInt32("attempts", attempt)
            .appendInt64("blockedMillis", TimeUnit.NANOSECONDS.toMillis(nanos))
            .appendDocument(BLOCKS, numbers)
            .toDocument();
      }
    }
    throw new CommandException(
        ErrorCode.RESHARDING_CRITICAL_SECTION_TIMEOUT,
        "Writes of %s were under way, or changes too many, at each of %d attempts"
            .formatted(context.resource(), ATTEMPTS_MAX));
  }

  private static long drain(int attempt) {
    return attempt > 3 ? DRAIN_MILLIS_MAX : DRAIN_MILLIS_MIN << (attempt - 1);
  }

  /** Null where a shard does not answer now. */
  private RawDocument unblock(PhaseContext context) {
    var numbers = new AtomicReference<RawDocument>();
    var unused =
        passes(
            context,
            () -> {
              numbers.set(shards.unblock(context, ReshardCoordinator.shards(context)));
              return true;
            });
    return numbers.get();
  }

  private boolean tryOnce(PhaseContext context, RawDocument numbers, long drainMillis) {
    shards.block(context, numbers, drainMillis, drainMillis + BOUND_MILLIS);
    if (!finish(context)) {
      return false;
    }
    shards.hold(context, numbers, false);
    return true;
  }

  private static boolean passes(PhaseContext context, BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (CommandException e) {
      context.operation().checkNow();
      // Also where a shard elects a primary: it is not worth the whole copy.
      if (!ShardPrimaries.mayPass(e.code())
          && e.code() != ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS
          && !ErrorCode.isStateChange(e.code().code())) {
        throw e;
      }
      return false;
    }
  }

  /** Documents that were in each other's way find their places when all donors have sent theirs. */
  private boolean finish(PhaseContext context) {
    long before = Long.MAX_VALUE;
    while (true) {
      Collection<RawDocument> replies =
          shards.finish(context, ReshardCoordinator.donors(context), CHANGES_MILLIS_MAX).values();
      if (!replies.stream().allMatch(reply -> DocumentFields.isTrue(reply, "known"))) {
        return false;
      }
      long conflicts =
          replies.stream().mapToLong(reply -> DocumentFields.number(reply, "conflicts")).sum();
      if (conflicts == 0) {
        return true;
      }
      if (conflicts >= before) {
        throw duplicate(context, replies);
      }
      before = conflicts;
    }
  }

  private static CommandException duplicate(PhaseContext context, Collection<RawDocument> replies) {
    String conflict =
        replies.stream()
            .filter(reply -> DocumentFields.number(reply, "conflicts") > 0)
            .map(reply -> DocumentFields.text(reply, "conflict"))
            .findFirst()
            .orElse("");
    return new CommandException(
        ErrorCode.DUPLICATE_KEY,
        "Documents of different shards have the same unique key, and would be on one shard of %s :: caused by :: %s"
            .formatted(context.resource(), conflict));
  }
}
