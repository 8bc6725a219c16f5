package dev.wisent.server.node;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.operation.RunningOperation;

/** Refuses what a router sends to a node that is no shard. */
final class UnshardedRequests implements CommandInterceptor {
  @Override
  public void run(RunningOperation operation, BsonBuilder reply, Runnable command) {
    CommandRequest request = operation.request();
    if (request.shardVersion() != null
        || request.databaseVersion() != null
        || request.routing() != null) {
      throw new CommandException(
          ErrorCode.SHARDING_STATE_NOT_INITIALIZED,
          "Cannot accept sharding commands if sharding state has not been initialized with a"
              + " shardIdentity document");
    }
    command.run();
  }
}
