package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.shard.transaction.CommitFigures;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.operation.RunningOperation;

/** Tells a router with each statement of a transaction whether this shard has written in it. */
record TransactionReplies(CommandInterceptor inner, CommitFigures commits)
    implements CommandInterceptor {
  @Override
  public void run(RunningOperation operation, BsonBuilder reply, Runnable command) {
    TransactionWrites writes = TransactionWrites.of(operation.context());
    if (writes != null && isFirstOfAll(operation.request())) {
      commits.created();
    }
    inner.run(operation, reply, command);
    if (writes != null) {
      reply.appendBoolean("readOnly", writes.isEmpty());
    }
  }

  /** Whether a router asks the shard to coordinate the commit, if one of several is needed. */
  private static boolean isFirstOfAll(CommandRequest request) {
    RawValue coordinator = request.startsTransaction() ? request.body().get("coordinator") : null;
    return coordinator != null && coordinator.isTruthy();
  }
}
