package dev.wisent.replication.raft;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Where entries are appended, while this node leads. */
interface LogTarget {
  /** How an attempt to append an entry ended. */
  enum Outcome {
    /** It was applied, and the writers that wait know the outcome. */
    APPLIED,
    /** It is certainly not in the log, and may be proposed again. */
    REFUSED,
    /** This node cannot tell the outcome. */
    UNKNOWN
  }

  CompletableFuture<Outcome> append(long callId, ByteString entry);

  /** Lets the others know soon how far the log is committed, if no entry tells them. */
  void publishCommitIndex();

  /** Gives up leadership, soon; does not wait for it. */
  void resign();
}
