package dev.wisent.server.command;

/** What a command may be in a transaction of several statements. */
public enum TransactionUse {
  /** Refused there. */
  NO_TRANSACTION,
  /** A statement that starts a transaction or continues it. */
  STARTS,
  /** Continues a transaction, but cannot be the first of it. */
  CONTINUES,
  /** Commits or aborts a transaction. */
  ENDS
}
