package dev.wisent.tools.migrate;

import dev.wisent.base.Scheduler;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Sees to it that one process runs a migration. It says all the time that it is alive; another one
 * waits whether that goes on, and takes over where it does not. What the first would store then is
 * refused.
 */
final class Lease implements AutoCloseable {
  private static final Duration BEAT = Duration.ofMillis(500);
  private static final int SILENT_MILLIS = 3_000;
  private static final int LOOKED_MILLIS = 250;

  private final MigrationState state;
  private final Scheduler.Task beats;

  private Lease(MigrationState state, Scheduler.Task beats) {
    this.state = state;
    this.beats = beats;
  }

  /** Waits until no other process is alive, and returns what it has stored. */
  static Optional<BsonDocument> awaitOthers(Deployment target, Surroundings surroundings)
      throws ToolException {
    Optional<BsonDocument> stored = MigrationState.stored(target);
    Optional<String> sign = stored.flatMap(MigrationState::sign);
    if (sign.isEmpty()) {
      return stored;
    }
    if (isAlive(target, sign.get(), surroundings)) {
      throw ToolException.failed("another process is running this migration");
    }
    return MigrationState.stored(target);
  }

  /** Waits until a process gives another sign of life, or has been silent for too long. */
  static boolean isAlive(Deployment target, String sign, Surroundings surroundings)
      throws ToolException {
    for (int waited = 0; waited < SILENT_MILLIS; waited += LOOKED_MILLIS) {
      surroundings.interruption().await(LOOKED_MILLIS);
      surroundings.interruption().check();
      Optional<BsonDocument> now = MigrationState.stored(target);
      Optional<String> other = now.flatMap(MigrationState::sign);
      if (other.isPresent() && !other.get().equals(sign)) {
        return true;
      }
    }
    return false;
  }

  /** Begins to say that this process is alive. */
  static Lease begin(MigrationState state, Scheduler scheduler) {
    return new Lease(state, scheduler.every(BEAT, "lease", state.fence()::beat));
  }

  @Override
  public void close() {
    beats.cancel();
    state.release();
  }
}
