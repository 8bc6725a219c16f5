package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The moment in which writers of a collection wait: the recipient gets the last changes, and the
 * donor gives the range up. It does not begin before all writes have ended that are under way, and
 * does not wait long for them, as others would wait behind it: then it tries again a little later.
 */
final class CriticalSection {
  private static final int ATTEMPTS_MAX = 30;
  private static final long DRAIN_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long DRAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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
    long drain = DRAIN_NANOS_MIN;
    for (int attempt = 1; ; attempt++) {
      try {
        if (tryOnce(operation, donation, version, now, drain, reply)) {
          return;
        }
        figures.add(Figure.LOCK_TIMEOUTS, 1);
      } catch (CommandException e) {
        operation.checkNow();
        boolean late =
            e.code() == ErrorCode.MAX_TIME_MS_EXPIRED || e.code() == ErrorCode.LOCK_TIMEOUT;
        if (!late) {
          throw e;
        }
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new CommandException(
            ErrorCode.LOCK_TIMEOUT,
            "The range could not be given up: writes of %s were under way at each of %d attempts"
                .formatted(donation.migration().namespace(), ATTEMPTS_MAX));
      }
      LockSupport.parkNanos(attempt * PAUSE_NANOS);
      drain = Math.min(2 * drain, DRAIN_NANOS_MAX);
      donor.catchUp(operation, donation);
      donation.prepareEnd(operation);
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
