package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.concurrent.CompletableFuture;

/**
 * A call from its submission to its end: queued, then running on one connection, then done. A call
 * that is abandoned while it runs closes its connection, so that no other call gets its reply.
 */
final class PendingCall {
  final NodeRequest request;
  final CompletableFuture<RawDocument> future = new CompletableFuture<>();
  private NodeConnection connection; // guarded by this
  private boolean done; // guarded by this

  PendingCall(NodeRequest request) {
    this.request = request;
  }

  /** Takes a connection; false if the call was abandoned before. */
  synchronized boolean begin(NodeConnection with) {
    if (done) {
      return false;
    }
    connection = with;
    return true;
  }

  /** Gives its connection back for a try on another one; false if the call was abandoned. */
  synchronized boolean retry() {
    connection = null;
    return !done;
  }

  /** Ends the use of the connection; false if the call was abandoned, and the connection closed. */
  synchronized boolean finish() {
    boolean first = !done;
    done = true;
    connection = null;
    return first;
  }

  /** The caller does not wait any longer. */
  void abandon() {
    NodeConnection used;
    synchronized (this) {
      done = true;
      used = connection;
      connection = null;
    }
    if (used != null) {
      used.close();
    }
  }

  synchronized boolean isDone() {
    return done;
  }

  void fail(CommandException failure) {
    future.completeExceptionally(failure);
  }
}
