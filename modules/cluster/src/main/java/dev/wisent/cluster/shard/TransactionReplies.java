package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.write.TransactionWrites;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.operation.RunningOperation;

/** Tells a router with each statement of a transaction whether this shard has written in it. */
record TransactionReplies(CommandInterceptor inner) implements CommandInterceptor {
  @Override
  public void run(RunningOperation operation, BsonBuilder reply, Runnable command) {
    inner.run(operation, reply, command);
    TransactionWrites writes = TransactionWrites.of(operation.context());
    if (writes != null) {
      reply.appendBoolean("readOnly", writes.isEmpty());
    }
  }
}
