package dev.wisent.server.session;

/**
 * One kind of cleaning up, as {@code serverStatus} tells it.
 *
 * @param count how often it was done
 * @param millis how long the last one took
 * @param timestampMillis when that was; 0 if never
 * @param ended how many sessions, or records of them, it ended
 * @param cursorsClosed how many cursors it closed with them
 */
public record SessionJob(
    long count, long millis, long timestampMillis, long ended, long cursorsClosed) {
  static final SessionJob NEVER = new SessionJob(0, 0, 0, 0, 0);

  SessionJob next(long startMillis, long nowMillis, long endedNow, long cursorsClosedNow) {
    return new SessionJob(
        count + 1, nowMillis - startMillis, startMillis, endedNow, cursorsClosedNow);
  }
}
