package dev.wisent.server.command;

/** Which levels of read concern a command takes. */
public enum ReadConcernSupport {
  /** Any. */
  ALL,
  /** Any but snapshot. */
  NO_SNAPSHOT,
  /** Only local, which is what it does anyway. */
  LOCAL_ONLY
}
