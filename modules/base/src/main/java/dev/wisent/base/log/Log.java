package dev.wisent.base.log;

/**
 * The log as one component sees it. Immutable and cheap to pass around.
 *
 * <p>Attributes are names and values in turn: {@code log.info(22943, "Connection accepted",
 * "remote", address, "connectionId", 12)}. A value may be null, a boolean, a number, a string, an
 * array, a collection, a map, or a {@link LogValue}; anything else is written as its {@code
 * toString}. The message is a constant: what varies belongs into the attributes.
 */
public final class Log {
  private final ServerLog target;
  private final LogComponent component;

  /** Null: the name of the calling thread. */
  private final String context;

  Log(ServerLog target, LogComponent component, String context) {
    this.target = target;
    this.component = component;
    this.context = context;
  }

  /** A log that writes nowhere, for tests of classes that want one. */
  public static Log silent() {
    return ServerLog.silent().of(LogComponent.DEFAULT);
  }

  /**
   * The same log on behalf of a connection or a job ({@code conn12}, {@code TTLMonitor}), whatever
   * thread happens to run it.
   */
  public Log withContext(String newContext) {
    return new Log(target, component, newContext);
  }

  /** Something that happened. */
  public void info(int id, String message, Object... keyValues) {
    write(LogSeverity.INFO, id, message, keyValues, null, false);
  }

  /** Something that an operator should look at. */
  public void warn(int id, String message, Object... keyValues) {
    write(LogSeverity.WARNING, id, message, keyValues, null, false);
  }

  /** A warning about how the server was set up, shown to people when they connect. */
  public void startupWarning(int id, String message, Object... keyValues) {
    write(LogSeverity.WARNING, id, message, keyValues, null, true);
  }

  /** Something that failed. */
  public void error(int id, String message, Object... keyValues) {
    write(LogSeverity.ERROR, id, message, keyValues, null, false);
  }

  /** Something that failed, with its cause and stack. */
  public void error(int id, String message, Throwable error, Object... keyValues) {
    write(LogSeverity.ERROR, id, message, keyValues, error, false);
  }

  /** The reason why the process ends. */
  public void fatal(int id, String message, Throwable error, Object... keyValues) {
    write(LogSeverity.FATAL, id, message, keyValues, error, false);
  }

  /** Whether {@link #debug(int, String, Object...)} writes: ask before building attributes. */
  public boolean isDebug() {
    return isDebug(1);
  }

  /** Whether {@link #debug(int, int, String, Object...)} writes at a level from 1 to 5. */
  public boolean isDebug(int level) {
    return target.levels().verbosity(component) >= level;
  }

  /** Detail for people who look for a fault, at level 1. */
  public void debug(int id, String message, Object... keyValues) {
    debug(1, id, message, keyValues);
  }

  /** Detail at a level from 1 (some) to 5 (everything). */
  public void debug(int level, int id, String message, Object... keyValues) {
    if (isDebug(level)) {
      write(LogSeverity.debug(level), id, message, keyValues, null, false);
    }
  }

  private void write(
      LogSeverity severity,
      int id,
      String message,
      Object[] keyValues,
      Throwable error,
      boolean startupWarning) {
    String who = context == null ? Thread.currentThread().getName() : context;
    target.write(
        new LogEvent(severity, component, id, who, message, keyValues, error, startupWarning));
  }
}
