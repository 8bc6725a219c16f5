package dev.wisent.server.command;

import dev.wisent.base.log.Log;
import dev.wisent.database.OperationContext;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.operation.RunningOperation;

/** Log lines for commands that took long, and for those that failed in a way they should not. */
public final class SlowOperationLog {
  private static final int SLOW_QUERY_LOG_ID = 51803;
  private static final int INTERNAL_ERROR_LOG_ID = 22000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Log log;
  private volatile long slowMillis = 100;

  public SlowOperationLog(Log log) {
    this.log = log;
  }

  /** From how many milliseconds on a command is logged. */
  public long slowMillis() {
    return slowMillis;
  }

  public void slowMillis(long millis) {
    slowMillis = millis;
  }

  void ended(RunningOperation operation) {
    OperationContext context = operation.context();
    long nanos = context.clock().monotonicNanos() - context.startNanos();
    if (nanos < slowMillis * NANOS_PER_MILLI || isWait(operation)) {
      return;
    }
    log.withContext(operation.client().description())
        .info(
            SLOW_QUERY_LOG_ID,
            "Slow query",
            "type",
            "command",
            "ns",
            operation.namespace(),
            "command",
            CommandText.of(operation),
            "planSummary",
            context.planSummary() == null ? "" : context.planSummary(),
            "keysExamined",
            context.keysExamined(),
            "docsExamined",
            context.documentsExamined(),
            "remote",
            operation.client().remoteAddress(),
            "durationMillis",
            nanos / NANOS_PER_MILLI);
  }

  /** Waiting for a change is what these do; it says nothing about speed. */
  private static boolean isWait(RunningOperation operation) {
    return operation.spec().name().equals("hello") || operation.spec().name().equals("isMaster");
  }

  void internalError(CommandRequest request, ClientConnection client, Throwable error) {
    log.withContext(client.description())
        .error(
            INTERNAL_ERROR_LOG_ID,
            "Command failed inside the server",
            error,
            "command",
            request.name());
  }
}
