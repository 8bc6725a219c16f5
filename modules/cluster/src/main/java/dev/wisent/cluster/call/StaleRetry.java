package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Repeats what a shard refused because it was routed with an old version, after the catalog has
 * heard of the new one.
 */
public final class StaleRetry {
  private static final int ATTEMPTS_MAX = 10;

  /** So many attempts follow each other at once; what a shard has yet to hear of takes a moment. */
  private static final int ATTEMPTS_AT_ONCE = 3;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final RoutingCatalog catalog;

  public StaleRetry(RoutingCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Runs an attempt, which routes anew each time, until it ends in another way than by a stale
   * version. After ten times the error is shown. In a transaction it is shown at once: the shard
   * has aborted its part.
   */
  public <T> T run(OperationContext operation, Supplier<T> attempt) {
    if (RoutedOperation.isStatement(operation)) {
      return attempt.get();
    }
    for (int attempts = 1; ; attempts++) {
      try {
        return attempt.get();
      } catch (CommandException e) {
        if (attempts == ATTEMPTS_MAX || !refresh(e)) {
          throw e;
        }
        operation.checkNow();
        if (attempts >= ATTEMPTS_AT_ONCE) {
          LockSupport.parkNanos(FIRST_PAUSE_NANOS << (attempts - ATTEMPTS_AT_ONCE));
        }
      }
    }
  }

  /** Whether an error is about a stale version; the catalog then has heard of it. */
  public boolean refresh(CommandException error) {
    return error instanceof RemoteErrorException remote && refresh(remote.reply());
  }

  /** The same of an error in a reply, or of an entry of {@code writeErrors}. */
  public boolean refresh(RawDocument error) {
    RawValue code = error.get("code");
    long number = code != null && code.isNumber() ? code.toLong() : 0;
    RawDocument details = details(error);
    if (number == ErrorCode.STALE_CONFIG.code() && details.get("ns") != null) {
      RawValue wanted = details.get("vWanted");
      Namespace namespace = Namespace.parse(details.get("ns").asString());
      StaleConfigException.movesOf(details).forEach(move -> catalog.rangeMoved(namespace, move));
      RawValue shard = details.get("shardId");
      catalog.staleCollection(
          namespace,
          wanted == null || !wanted.isDocument() ? null : ChunkVersion.of(wanted.asDocument()),
          shard == null || !shard.isString() ? "" : shard.asString());
      return true;
    }
    if (number == ErrorCode.STALE_DB_VERSION.code() && details.get("db") != null) {
      RawValue wanted = details.get("vWanted");
      catalog.staleDatabase(
          details.get("db").asString(),
          wanted == null || !wanted.isDocument() ? null : DatabaseVersion.of(wanted.asDocument()));
      return true;
    }
    return false;
  }

  /** In {@code writeErrors} the fields of an error may stand in {@code errInfo}. */
  private static RawDocument details(RawDocument error) {
    RawValue info = error.get("errInfo");
    return error.get("vReceived") == null && info != null && info.isDocument()
        ? info.asDocument()
        : error;
  }
}
