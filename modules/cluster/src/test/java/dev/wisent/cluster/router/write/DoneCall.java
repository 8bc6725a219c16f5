package dev.wisent.cluster.router.write;

import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;

/** A call whose reply is there. */
record DoneCall(ShardRequest request, ShardReply reply) implements ShardCall {
  @Override
  public ShardReply await(OperationContext operation) {
    return reply;
  }

  @Override
  public void whenDone(Runnable action) {
    action.run();
  }

  @Override
  public boolean isDone() {
    return true;
  }

  @Override
  public void cancel() {}
}
