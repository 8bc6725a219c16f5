package dev.wisent.server.transport;

/** How long a message occupies the thread that handles it. */
public enum Execution {
  /** Handled by the thread that read it, however long it takes. */
  RUN,

  /**
   * Parked nearly all of the time and otherwise done in microseconds (an awaitable {@code hello}, a
   * login whose answer is held back): handled on a virtual thread, so that many waiting clients do
   * not hold a platform thread each. Virtual threads are not preempted, so a message that may scan
   * (a tailable {@code getMore}) must be {@link #RUN}.
   */
  WAIT
}
