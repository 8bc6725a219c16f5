package dev.wisent.cluster.call;

import dev.wisent.operation.OperationContext;

/** A call under way. One thread at a time awaits it. */
public interface ShardCall {
  ShardRequest request();

  /**
   * Waits for the reply, and repeats the call where that is allowed. An error of the call is in the
   * reply; what throws is the end of the operation, which ends the call too.
   */
  ShardReply await(OperationContext operation);

  /** Whether the call was sent again: an attempt before may have had its effect. */
  default boolean isRepeated() {
    return false;
  }

  /** Whether the first attempt has ended, so that {@link #await} does not wait for it. */
  boolean isDone();

  /** Runs an action when {@link #isDone} is so, on any thread; at once where it is so already. */
  void whenDone(Runnable action);

  /** Ends the call; the shard ends the command when it notices. */
  void cancel();
}
