package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.collection.PreImageExpiry;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.oplog.PreImageLifetime;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What a primary does for the oplog: it keeps it within its limits, removes images of documents
 * that have expired or whose entries are gone, and writes a note when no client writes anything
 * else, so that time goes on for those who compare the members by their last entry.
 */
final class OplogMaintenance {
  private static final int FAILED_LOG_ID = 5295000;
  private static final int TRIMMED_LOG_ID = 22402;
  private static final int EXPIRED_LOG_ID = 5869104;
  private static final int INTERVAL_SECONDS = 2;
  private static final int IDLE_SECONDS = 10;
  private static final int SECONDS_SHIFT = 32;
  private static final RawDocument IDLE_NOTE =
      new BsonBuilder().appendString("msg", "periodic noop").toDocument();

  private final LocalDatabase database;
  private final Clock clock;
  private final Log log;

  private OplogMaintenance(LocalDatabase database, Clock clock, Log log) {
    this.database = database;
    this.clock = clock;
    this.log = log;
  }

  static OplogMaintenance of(LocalDatabase database, Clock clock, Log log) {
    return new OplogMaintenance(database, clock, log);
  }

  BackgroundLoop loop(BackgroundLoops loops) {
    return loops.every(Duration.ofSeconds(INTERVAL_SECONDS), "oplog-maintenance", this::run);
  }

  private void run() {
    if (!database.writeGate().isOpen()) {
      return;
    }
    OperationContext operation = OperationContext.internal(clock);
    try {
      long trimmed = database.oplogTrimmer().trim(operation);
      if (trimmed > 0) {
        log.debug(TRIMMED_LOG_ID, "Truncated the oplog", "entries", trimmed);
      }
      expirePreImages(operation);
      if (isIdle()) {
        database.oplogNotes().note(IDLE_NOTE, operation);
      }
    } catch (CommandException | StorageException | LeadershipException e) {
      // Most likely leadership is lost, and another member does it now.
      log.debug(FAILED_LOG_ID, "Could not look after the oplog", "error", e.getMessage());
    }
  }

  private void expirePreImages(OperationContext operation) {
    PreImageExpiry images = database.oplogTrimmer().preImages();
    if (!images.hasImages()) {
      return;
    }
    long expired = images.expire(lifetime(), operation);
    if (expired > 0) {
      log.debug(EXPIRED_LOG_ID, "Removed expired images of documents", "images", expired);
    }
  }

  private PreImageLifetime lifetime() {
    try (ResultCursor stored =
        database.find(OperationContext.internal(clock), PreImageLifetime.query())) {
      RawDocument value = stored.peek();
      return value == null ? PreImageLifetime.UNLIMITED : PreImageLifetime.parse(value);
    }
  }

  private boolean isIdle() {
    long newest = database.catalog().oplog().newest();
    long nowSeconds = TimeUnit.MILLISECONDS.toSeconds(clock.wallMillis());
    return newest != 0 && nowSeconds - (newest >>> SECONDS_SHIFT) >= IDLE_SECONDS;
  }
}
