package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.BsonBuilder;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When this member has given ranges away: the times of entries of the log, which no document has.
 * Another member that leads the donor later does not know them. Thread-safe.
 */
final class DecisionTimes {
  private static final String ARGUMENT = "decidedAt";

  private final Map<UUID, Long> times = new ConcurrentHashMap<>();

  void note(Migration migration, long time) {
    times.put(migration.id(), time);
  }

  /** As an argument of a command; nothing where the time is not known. */
  void append(Migration migration, BsonBuilder body) {
    Long time = times.get(migration.id());
    if (time != null) {
      body.appendTimestamp(ARGUMENT, time);
    }
  }

  void forget(Migration migration) {
    times.remove(migration.id());
  }

  void clear() {
    times.clear();
  }
}
