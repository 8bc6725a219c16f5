package dev.wisent.conformance.transaction;

/** What a client knows about a transaction in the end. */
enum Outcome {
  COMMITTED,
  /** No part of it may ever be seen. */
  ABORTED,
  /** The answer to the commit was lost. */
  UNKNOWN
}
