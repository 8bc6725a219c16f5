package dev.wisent.replication.raft;

import java.util.concurrent.CompletableFuture;

/** Where entries are appended, while this node leads. */
interface LogTarget {
  /** How an attempt to append an entry ended. */
  enum Outcome {
    /** It was applied: whoever did that has told those who wait. */
    APPLIED,
    /** It is certainly not in the log, and may be proposed again. */
    REFUSED,
    /** Nobody here can tell. */
    UNKNOWN
  }

  CompletableFuture<Outcome> append(long callId, byte[] entry);

  /** Lets the others know soon how far the log is committed, if no entry tells them. */
  void tellCommitted();

  /** Gives up the lead, soon; does not wait for it. */
  void resign();
}
