package dev.wisent.server.dispatch;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.operation.RunningOperation;

/**
 * What a role does around each command: a shard checks the versions that the request was routed
 * with, a router sends it on.
 */
@FunctionalInterface
public interface CommandInterceptor {
  /** Runs every command as it is. */
  CommandInterceptor NONE = (operation, reply, command) -> command.run();

  /**
   * Runs a command, or completes its reply in another way.
   *
   * @param reply where the command's own fields go
   */
  void run(RunningOperation operation, BsonBuilder reply, Runnable command);
}
