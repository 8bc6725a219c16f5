package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.coordinator.PhaseContext;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Participants participants;
  private final ReshardShards shards;

  ReshardEnd(Participants participants, ReshardShards shards) {
    this.participants = participants;
    this.shards = shards;
  }

  /** Returns when writers wait and nothing is missing. */
  RawDocument blockWrites(PhaseContext context) {
    long drain = DRAIN_MILLIS_MIN;
    for (int attempt = 1; ; attempt++) {
      // Also where the primary of a donor has changed: the next one copies anew.
      shards.copy(context, ReshardCoordinator.donors(context));
      long start = context.operation().clock().monotonicNanos();
      if (tryOnce(context, drain)) {
        long nanos = context.operation().clock().monotonicNanos() - start;
        return new BsonBuilder()
            .appendInt32("attempts", attempt)
            .appendInt64("blockedMillis", TimeUnit.NANOSECONDS.toMillis(nanos))
            .toDocument();
      }
      unblock(context);
      if (attempt == ATTEMPTS_MAX) {
        throw new CommandException(
            ErrorCode.RESHARDING_CRITICAL_SECTION_TIMEOUT,
            "Writes of %s were under way, or changes too many, at each of %d attempts"
                .formatted(context.resource(), ATTEMPTS_MAX));
      }
      context.operation().checkNow();
      LockSupport.parkNanos(attempt * PAUSE_NANOS);
      drain = Math.min(2 * drain, DRAIN_MILLIS_MAX);
    }
  }

  private void unblock(PhaseContext context) {
    ReshardShards.each(
        ReshardCoordinator.shards(context),
        shard -> participants.unblock(context, List.of(shard), context.resource()));
  }

  private boolean tryOnce(PhaseContext context, long drainMillis) {
    try {
      shards.block(context, ReshardCoordinator.shards(context), drainMillis);
      return finish(context);
    } catch (CommandException e) {
      context.operation().checkNow();
      // Also where a shard elects a primary: it is not worth the whole copy.
      if (!ShardPrimaries.mayPass(e.code()) && !ErrorCode.isStateChange(e.code().code())) {
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
