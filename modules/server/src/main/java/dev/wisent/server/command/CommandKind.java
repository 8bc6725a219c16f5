package dev.wisent.server.command;

/** What a command touches; decides how it is counted and where it may run. */
public enum CommandKind {
  /** Reads documents. */
  READ,
  /** Writes documents. */
  WRITE,
  /** Changes collections, indexes or databases. */
  DEFINITION,
  /** Asks about or steers the server. */
  ADMIN
}
