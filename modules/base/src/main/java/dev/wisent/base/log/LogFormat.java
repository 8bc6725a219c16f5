package dev.wisent.base.log;

/** What a line of the log looks like where it is written. The log in memory is always JSON. */
public enum LogFormat {
  /** MongoDB's structured lines, for programs. */
  JSON,

  /** One line a person can read, for a terminal. */
  TEXT
}
