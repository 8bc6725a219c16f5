package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;
import java.util.Set;

/** {@code renameCollection} of collections that are not sharded, on the shard that has both. */
final class RenameCommand implements Command {
  private final RoutingCatalog catalog;
  private final Places places;
  private final ShardCalls calls;

  RenameCommand(RoutingCatalog catalog, Places places, ShardCalls calls) {
    this.catalog = catalog;
    this.places = places;
    this.calls = calls;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    OperationContext operation = context.operation();
    Namespace from = named("renameCollection.renameCollection", request.argument());
    RawValue target = request.body().get("to");
    if (target == null) {
      throw ArgumentTypes.missing("renameCollection.to");
    }
    Namespace to = named("renameCollection.to", target);
    refuseSharded(operation, from);
    refuseSharded(operation, to);
    DatabaseRouting database = catalog.database(operation, from.database());
    if (database == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "Source collection " + from.full() + " does not exist");
    }
    DatabaseRouting other = places.existing(operation, to.database());
    if (!other.primaryShard().equals(database.primaryShard())) {
      throw new CommandException(
          ErrorCode.COMMAND_FAILED,
          "Source and destination collections must be on the same shard.");
    }
    RawDocument command =
        CallBody.forwarded(
            operation, request.body().without(Set.of("txnNumber")), RawDocument.EMPTY);
    var forwarded = ShardRequest.write(database.primaryShard(), null, command, List.of());
    ShardReply answer = calls.exchange(operation, forwarded);
    answer.get();
  }

  private static Namespace named(String field, RawValue value) {
    return Namespace.parse(ArgumentTypes.string(field, value));
  }

  private void refuseSharded(OperationContext operation, Namespace namespace) {
    if (catalog.collection(operation, namespace) != null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED,
          "renameCollection of the sharded collection "
              + namespace.full()
              + " is not supported yet");
    }
  }
}
