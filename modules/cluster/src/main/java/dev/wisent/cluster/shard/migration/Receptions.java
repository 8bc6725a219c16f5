package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The migrations that this primary gets documents of, as they are shown. What they are is stored
 * elsewhere: another primary begins to count anew. Thread-safe.
 */
final class Receptions {
  /** More than this are not shown: a shard takes part in one at a time. */
  private static final int RECEPTIONS_MAX = 64;

  private final ShownMigration.Shown shown;
  private final Clock clock;
  private final Map<UUID, ShownMigration> receptions = new ConcurrentHashMap<>();

  Receptions(ShownMigration.Shown shown, Clock clock) {
    this.shown = shown;
    this.clock = clock;
  }

  /** Runs a part of a migration as one of its steps. */
  void run(Migration migration, String step, Runnable part) {
    boolean known = receptions.containsKey(migration.id());
    ShownMigration reception = reception(migration);
    reception.steps().enter(step);
    boolean done = false;
    try {
      reception.check();
      part.run();
      done = true;
    } finally {
      reception.steps().leave();
      if (!done && !known) {
        end(migration.id()); // It may be over.
      }
    }
  }

  private ShownMigration reception(Migration migration) {
    if (receptions.size() >= RECEPTIONS_MAX) {
      receptions.keySet().forEach(this::end);
    }
    return receptions.computeIfAbsent(
        migration.id(), id -> ShownMigration.ofRecipient(migration, shown, clock));
  }

  void copied(Migration migration, List<RawDocument> documents) {
    reception(migration)
        .copied(documents.size(), documents.stream().mapToLong(RawDocument::length).sum());
  }

  void decided(Migration migration) {
    reception(migration).decided();
  }

  RawDocument steps(Migration migration) {
    return reception(migration).steps().toDocument();
  }

  /** Another member leads. */
  void clear() {
    receptions.keySet().forEach(this::end);
  }

  void end(UUID id) {
    ShownMigration ended = receptions.remove(id);
    if (ended != null) {
      ended.close();
    }
  }
}
