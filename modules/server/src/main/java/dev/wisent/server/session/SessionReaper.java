package dev.wisent.server.session;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.base.log.Log;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.transaction.ClientTransactions;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Ends sessions that were not used for their time, from time to time. */
public final class SessionReaper implements Runnable {
  public static final int INTERVAL_SECONDS = 60;

  private static final int FAILED_LOG_ID = 20_712;
  private static final long WORK_MILLIS_MAX = 30_000;

  private final SessionRegistry sessions;
  private final CursorRegistry cursors;
  private final OperationRegistry operations;
  private final ClientTransactions transactions;

  /** Null where there is none. */
  private final NodeStore store;

  private final Clock clock;
  private final Log log;

  public SessionReaper(
      SessionRegistry sessions,
      CursorRegistry cursors,
      OperationRegistry operations,
      ClientTransactions transactions,
      NodeStore store,
      Clock clock,
      Log log) {
    this.sessions = sessions;
    this.cursors = cursors;
    this.operations = operations;
    this.transactions = transactions;
    this.store = store;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public void run() {
    try {
      endSessions();
      removeRecords();
    } catch (RuntimeException e) {
      if (!(e instanceof CommandException) && (store == null || store.faultOf(e) == null)) {
        throw e;
      }
      // Not primary any more, or shutting down: the next run, or the next primary, does it.
      log.debug(1, FAILED_LOG_ID, "Sessions could not be cleaned up", "error", e.getMessage());
    }
  }

  private void endSessions() {
    // A command that takes longer than the time-out keeps its session.
    operations.running().stream()
        .map(operation -> operation.request().session())
        .filter(session -> session != null)
        .forEach(sessions::used);
    long start = clock.wallMillis();
    Set<SessionId> ended = sessions.endIdle();
    long closed = 0;
    if (!ended.isEmpty()) {
      transactions.abortOf(ended::contains);
      long before = cursors.counts().open();
      cursors.killAll(cursor -> cursor.isOfSession(ended::contains));
      closed = Math.max(0, before - cursors.counts().open());
    }
    sessions.idleJob(sessions.idleJob().next(start, clock.wallMillis(), ended.size(), closed));
  }

  private void removeRecords() {
    if (store == null) {
      return;
    }
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(WORK_MILLIS_MAX);
    long before = clock.wallMillis() - TimeUnit.MINUTES.toMillis(Limits.SESSION_TIMEOUT_MINUTES);
    long start = clock.wallMillis();
    OptionalInt removed = store.removeRetryRecords(operation, before);
    if (removed.isPresent()) {
      sessions.recordJob(
          sessions.recordJob().next(start, clock.wallMillis(), removed.getAsInt(), 0));
    }
  }
}
