package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.CallBody;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * {@code renameCollection}: on the shard that has both collections, or by the config servers where
 * one of them is sharded.
 */
final class RenameCommand implements Command {
  private static final int ATTEMPTS_MAX = 4;

  private final RoutingCatalog catalog;
  private final Places places;
  private final ShardCalls calls;
  private final ConfigForwarding config;
  private final StaleRetry retry;

  RenameCommand(RoutingCatalog catalog, Places places, ShardCalls calls, ConfigForwarding config) {
    this.catalog = catalog;
    this.places = places;
    this.calls = calls;
    this.config = config;
    this.retry = new StaleRetry(catalog);
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace from = named("renameCollection.renameCollection", request.argument());
    RawValue target = request.body().get("to");
    if (target == null) {
      throw ArgumentTypes.missing("renameCollection.to");
    }
    Namespace to = named("renameCollection.to", target);
    retry.run(
        context.operation(),
        () -> {
          rename(from, to, request, context.operation(), reply);
          return null;
        });
    catalog.staleCollection(from, null);
    catalog.staleCollection(to, null);
  }

  private static Namespace named(String field, RawValue value) {
    return Namespace.parse(ArgumentTypes.string(field, value));
  }

  private void rename(
      Namespace from,
      Namespace to,
      CommandRequest request,
      OperationContext operation,
      BsonBuilder reply) {
    if (catalog.collection(operation, from) != null || catalog.collection(operation, to) != null) {
      var command = new BsonBuilder().appendString("_configsvrRenameCollection", from.full());
      config.send(operation, request, command, reply);
      return;
    }
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
    boolean same = from.database().equals(to.database());
    RawDocument command =
        CallBody.forwarded(
            operation,
            request.body().without(Set.of("txnNumber")),
            same
                ? places.ofDatabase(operation, from.database(), false).versions()
                : RawDocument.EMPTY);
    var forwarded = ShardRequest.write(database.primaryShard(), null, command, List.of());
    if (same) {
      renameOnce(from, to, forwarded, operation);
    } else {
      calls.exchange(operation, forwarded).get();
    }
  }

  /** An election may hide whether it was renamed; the UUID of the collection tells. */
  private void renameOnce(
      Namespace from, Namespace to, ShardRequest forwarded, OperationContext operation) {
    UUID uuid = uuidOf(from, forwarded.shard(), operation);
    for (int attempt = 1; ; attempt++) {
      ShardReply reply = calls.exchange(operation, forwarded);
      if (reply.isOk()
          || attempt == ATTEMPTS_MAX
          || !RetryableErrors.isRetryable(RemoteErrorException.numberOf(reply.error()))) {
        reply.get();
        return;
      }
      if (uuid != null && uuid.equals(uuidOf(to, forwarded.shard(), operation))) {
        return;
      }
    }
  }

  /** Null where a shard has no such collection. */
  private UUID uuidOf(Namespace namespace, String shard, OperationContext operation) {
    var command = new BsonBuilder().appendInt32("listCollections", 1);
    command.startDocument("filter").appendString("name", namespace.collection()).end();
    RawDocument reply =
        calls.call(
            operation,
            ShardRequest.read(shard, namespace.database(), command.toDocument())
                .from(HostSelector.primary()));
    ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
    RawValue info = found.next() ? found.value().asDocument().get("info") : null;
    RawValue uuid = info == null ? null : info.asDocument().get("uuid");
    return uuid == null ? null : uuid.asUuid();
  }
}
