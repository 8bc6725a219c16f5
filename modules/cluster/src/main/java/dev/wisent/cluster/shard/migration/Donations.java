package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The donations of this primary. Each belongs to the term in which it began: what another primary
 * has done since, such as what sessions have executed there, is not in it. Thread-safe.
 */
final class Donations {
  private final WriteGate gate;
  private final Creation creation;
  private final Map<UUID, Donation> byMigration = new ConcurrentHashMap<>();

  /** Makes a donation that is not begun. */
  @FunctionalInterface
  interface Creation {
    Donation create(Migration migration, long term);
  }

  Donations(WriteGate gate, Creation creation) {
    this.gate = gate;
    this.creation = creation;
  }

  /** The donation of a migration, which may be a new one. */
  Donation of(Migration migration) {
    return byMigration.computeIfAbsent(
        migration.id(), id -> creation.create(migration, gate.closings()));
  }

  /** Null where there is none. */
  Donation find(Migration migration) {
    return byMigration.get(migration.id());
  }

  /** Runs work on a donation; one at a time. */
  static <T> T inTurn(OperationContext operation, Donation donation, Supplier<T> work) {
    operation.acquire(donation.lock());
    try {
      return work.get();
    } finally {
      donation.lock().unlock();
    }
  }

  /** Whether a donation is still to be used, in its turn; drops one of an earlier term. */
  boolean isCurrent(Donation donation) {
    if (isOfEarlierTerm(donation)) {
      drop(donation);
    }
    return find(donation.migration()) == donation;
  }

  private boolean isOfEarlierTerm(Donation donation) {
    return donation.term() != gate.closings();
  }

  /** Fails for a donation of an earlier term. */
  void requireTerm(Donation donation) {
    if (isOfEarlierTerm(donation)) {
      throw gone(donation.migration());
    }
  }

  static CommandException gone(Migration migration) {
    return new CommandException(
        ErrorCode.OPERATION_FAILED,
        "the primary of shard " + migration.from() + " has changed during the migration");
  }

  /** Forgets the donations of earlier terms that no request works with. */
  void dropEarlierTerms() {
    for (Donation donation : byMigration.values()) {
      if (isOfEarlierTerm(donation) && donation.lock().tryLock()) {
        try {
          drop(donation);
        } finally {
          donation.lock().unlock();
        }
      }
    }
  }

  /** Forgets the donation of a migration, if there is one; waits for its turn. */
  void drop(OperationContext operation, Migration migration) {
    Donation donation = find(migration);
    if (donation != null) {
      inTurn(
          operation,
          donation,
          () -> {
            drop(donation);
            return null;
          });
    }
  }

  /** In its turn: no request works with it. */
  void drop(Donation donation) {
    byMigration.remove(donation.migration().id(), donation);
    donation.close();
  }
}
