package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The moment in which writers of a collection wait: the recipient gets the last changes, and the
 * donor gives the range up. Writes that are under way end before it begins, and new ones wait for
 * it. So it begins only when those under way are likely to end soon: no write of many documents is
 * among them, nothing prepared, and no write that takes long already, on both shards. Until then no
 * write waits.
 *
 * <p>Where such a moment does not come, writes count as long at a higher age, and are waited for
 * longer in turn. The age grows slower than the time that the section has waited: writes that were
 * under way at its beginning are never waited for while others are kept out.
 */
final class CriticalSection {
  private static final int ATTEMPTS_MAX = 30;
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(100);
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** How much longer than writes may have taken before they are waited for. */
  private static final int DRAIN_FACTOR = 4;

  private static final long DRAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int PAUSES_MAX = 10;

  /** After that writers go on, and it is tried again. */
  private static final long SECTION_MILLIS_MAX = 5_000;

  private final Donor donor;
  private final Donations donations;
  private final WriteGate gate;
  private final Ownership ownership;
  private final MigrationPoints points;
  private final MigrationFigures figures;

  CriticalSection(
      Donor donor,
      Donations donations,
      Ownership ownership,
      WriteGate gate,
      MigrationPoints points,
      MigrationFigures figures) {
    this.donor = donor;
    this.donations = donations;
    this.gate = gate;
    this.ownership = ownership;
    this.points = points;
    this.figures = figures;
  }

  /** Returns when the range is given up; fails where it is not. */
  void run(
      OperationContext operation,
      Donation donation,
      ChunkVersion version,
      boolean now,
      BsonBuilder reply) {
    long start = operation.clock().monotonicNanos();
    long age = WriteBlocks.LONG_NANOS;
    long ageSince = start;
    int attempts = 0;
    while (true) {
      if (!isCalm(operation, donation, age)) {
        if (operation.clock().monotonicNanos() - ageSince >= ROUND_NANOS) {
          age = Math.min(2 * age, AGE_NANOS_MAX);
          ageSince = operation.clock().monotonicNanos();
        }
      } else if (isGiven(operation, donation, version, now, age, reply)) {
        return;
      } else {
        attempts++;
        LockSupport.parkNanos(Math.min(attempts, PAUSES_MAX) * PAUSE_NANOS);
        age = WriteBlocks.LONG_NANOS;
        ageSince = operation.clock().monotonicNanos();
      }
      operation.checkNow();
      boolean late = operation.clock().monotonicNanos() - start >= WAIT_NANOS_MAX;
      if (late || attempts == ATTEMPTS_MAX) {
        throw new CommandException(
            ErrorCode.LOCK_TIMEOUT,
            "The range could not be given up: for %d seconds writes of %s were under way that take"
                    .formatted(
                        TimeUnit.NANOSECONDS.toSeconds(operation.clock().monotonicNanos() - start),
                        donation.migration().namespace())
                + " long, on the donor or the recipient");
      }
      donor.catchUp(operation, donation);
    }
  }

  /** Waits for a while; the recipient is asked only where this shard is ready. */
  private boolean isCalm(OperationContext operation, Donation donation, long age) {
    return awaitCalm(operation, donation, age, ROUND_NANOS)
        && donation.prepareEnd(operation, age, ROUND_NANOS)
        && awaitCalm(operation, donation, age, 0);
  }

  private boolean awaitCalm(OperationContext operation, Donation donation, long age, long nanos) {
    return ownership
        .blocks()
        .awaitCalm(donation.migration().namespace(), age, operation, gate, nanos);
  }

  /** False where writes have taken too long after all. */
  private boolean isGiven(
      OperationContext operation,
      Donation donation,
      ChunkVersion version,
      boolean now,
      long age,
      BsonBuilder reply) {
    long drain = Math.min(DRAIN_FACTOR * age, DRAIN_NANOS_MAX);
    try {
      if (tryOnce(operation, donation, version, now, drain, reply)) {
        return true;
      }
      figures.add(Figure.LOCK_TIMEOUTS, 1);
      return false;
    } catch (CommandException e) {
      operation.checkNow();
      boolean late =
          e.code() == ErrorCode.MAX_TIME_MS_EXPIRED || e.code() == ErrorCode.LOCK_TIMEOUT;
      if (!late) {
        throw e;
      }
      return false;
    }
  }

  private boolean tryOnce(
      OperationContext operation,
      Donation donation,
      ChunkVersion version,
      boolean now,
      long drain,
      BsonBuilder reply) {
    long start = operation.clock().monotonicNanos();
    Migration migration = donation.migration();
    boolean given =
        ownership
            .blocks()
            .tryExclusively(
                migration.namespace(),
                operation,
                gate,
                drain,
                () -> {
                  // The change that is made here fails in any other term.
                  donations.requireTerm(donation);
                  points.reach("enter", operation);
                  OperationContext part = donor.partOf(operation);
                  part.limitMillis(operation.millisLeft(SECTION_MILLIS_MAX));
                  long count = finish(part, donation, version);
                  points.reach("decide", operation);
                  long commit = operation.clock().monotonicNanos();
                  donor.giveUp(operation, migration, version, now, count);
                  figures.add(Figure.COMMIT_MILLIS, millisSince(commit, operation));
                  points.reach("decided", operation);
                });
    long millis = millisSince(start, operation);
    figures.add(Figure.CRITICAL_MILLIS, millis);
    if (given) {
      reply.appendInt64("criticalSectionMillis", millis);
    }
    return given;
  }

  private static long millisSince(long start, OperationContext operation) {
    return TimeUnit.NANOSECONDS.toMillis(operation.clock().monotonicNanos() - start);
  }

  /**
   * The last changes, and the promise of the recipient. What is done here does not depend on the
   * number of sessions and documents, but on what was changed since the last time.
   *
   * @return how many documents of the range there are, on both shards
   */
  private static long finish(OperationContext part, Donation donation, ChunkVersion version) {
    while (!donation.catchUp(part, false)) {
      part.checkNow();
    }
    donation.sendSessions(part);
    RawDocument reply =
        donation.call(
            part,
            "_shardsvrRecvReady",
            body -> body.appendDocument("version", version.toDocument()));
    return DocumentFields.number(reply, "documents");
  }
}
