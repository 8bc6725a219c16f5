package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;

/** What the commands of a shard have in common. */
final class ShardArguments {
  private ShardArguments() {}

  static void requireShard(Ownership ownership) {
    if (ownership.tables().identity() == null) {
      throw new CommandException(
          ErrorCode.SHARDING_STATE_NOT_INITIALIZED,
          "Cannot accept sharding commands if sharding state has not been initialized with a"
              + " shardIdentity document");
    }
  }

  /** The full name of a collection in a command's own field. */
  static Namespace namespace(CommandRequest request) {
    Namespace namespace = Namespace.parse(name(request));
    return Namespace.checked(namespace.database(), namespace.collection());
  }

  static String name(CommandRequest request) {
    return ArgumentTypes.string(request.name() + "." + request.name(), request.argument());
  }
}
