package dev.wisent.server.node;

import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.LocalDatabase;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens a store with a log of its own again that a full disk has stopped, once there is space.
 * Until then reads go on, and writes fail.
 */
final class StoreRecovery implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final long WRITERS_MILLIS_MAX = 5000;
  private static final int FULL_LOG_ID = 9_000_410;
  private static final int RESUMED_LOG_ID = 9_000_411;

  private final StorageEngine engine;
  private final LocalCommitLog commits;
  private final LocalDatabase database;
  private final Log log;
  private final BackgroundLoop loop;

  /** Whether there was a failure that is not mended yet. Of the loop. */
  private boolean waiting;

  private StoreRecovery(
      StorageEngine engine,
      LocalCommitLog commits,
      LocalDatabase database,
      BackgroundLoops loops,
      Log log) {
    this.engine = engine;
    this.commits = commits;
    this.database = database;
    this.log = log;
    this.loop = loops.every(PERIOD, "store-recovery", this::turn);
  }

  static StoreRecovery start(
      StorageEngine engine,
      LocalCommitLog commits,
      LocalDatabase database,
      BackgroundLoops loops,
      Log log) {
    var recovery = new StoreRecovery(engine, commits, database, loops, log);
    recovery.loop.start();
    return recovery;
  }

  private void turn() {
    Optional<StorageException> failure = engine.failure();
    if (failure.isPresent() && !waiting) {
      waiting = true;
      log.warn(
          FULL_LOG_ID,
          "The disk is full: writes fail until there is space",
          "dbPath",
          engine.options().dbPath().toString(),
          "error",
          failure.get().getMessage());
    }
    if (waiting && engine.hasRoom()) {
      database.leadership().reopenContents(this::reopen, WRITERS_MILLIS_MAX);
      database.snapshots().clear();
      waiting = false;
      log.info(
          RESUMED_LOG_ID,
          "There is space on the disk again: writes are accepted",
          "dbPath",
          engine.options().dbPath().toString());
    }
  }

  private void reopen() {
    engine.reopenAfterFailure();
    commits.resume();
  }

  /** Before the log and the store are closed. */
  @Override
  public void close() {
    loop.stop();
    loop.join();
  }
}
