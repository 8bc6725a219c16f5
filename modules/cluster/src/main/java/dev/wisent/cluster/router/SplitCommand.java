package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;

/**
 * {@code split}: at a given key, or in the middle of the chunk that has a document or given bounds.
 * The config servers change the chunks.
 */
final class SplitCommand implements Command {
  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  SplitCommand(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  private static final class Arguments {
    private final Namespace namespace;
    private RawDocument find;
    private RawDocument middle;
    private List<RawDocument> bounds;

    Arguments(CommandRequest request) {
      namespace = Namespace.parse(ArgumentTypes.string(request.name(), request.argument()));
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "find" -> find = reader.document();
          case "middle" -> middle = reader.document();
          case "bounds" -> bounds = reader.documents();
          default -> reader.unknown();
        }
      }
      int given = (find == null ? 0 : 1) + (middle == null ? 0 : 1) + (bounds == null ? 0 : 1);
      if (given != 1) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            given == 0
                ? "need to specify find/bounds or middle"
                : "cannot specify more than one of find, bounds and middle");
      }
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request);
    OperationContext operation = context.operation();
    catalog.staleCollection(given.namespace, null);
    CollectionRouting collection = catalog.collection(operation, given.namespace);
    if (collection == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "ns [" + given.namespace.full() + "] is not sharded.");
    }
    Chunk chunk = chunk(given, collection);
    if (chunk == null) {
      throw new CommandException(ErrorCode.BAD_VALUE, "no chunk found with the shard key bounds");
    }
    RawDocument at =
        given.middle == null
            ? middle(operation, collection, chunk)
            : collection.key().normalized(given.middle);
    split(operation, given.namespace, chunk, at);
    catalog.staleCollection(given.namespace, null);
  }

  private static Chunk chunk(Arguments given, CollectionRouting collection) {
    ShardKeyPattern key = collection.key();
    if (given.bounds != null) {
      if (given.bounds.size() != 2) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "bounds must be an array of two documents");
      }
      return collection.table().chunkWithBounds(given.bounds.get(0), given.bounds.get(1));
    }
    if (given.middle != null) {
      return collection.table().chunkOf(key.encode(key.normalized(given.middle)));
    }
    byte[] wanted = key.encodedKeyOfEquality(given.find, null);
    if (wanted == null) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_NOT_FOUND,
          "no shard key found in chunk query " + given.find.toJson());
    }
    return collection.table().chunkOf(wanted);
  }

  /** What the chunk's shard names as its middle. */
  private RawDocument middle(
      OperationContext operation, CollectionRouting collection, Chunk chunk) {
    var command = new BsonBuilder();
    command.appendString("splitVector", collection.namespace().full());
    command.appendDocument("keyPattern", collection.key().pattern());
    command.appendDocument("min", chunk.range().min());
    command.appendDocument("max", chunk.range().max());
    command.appendBoolean("force", true);
    RawDocument answer =
        calls.call(operation, ShardRequest.control(chunk.shard(), "admin", command.toDocument()));
    RawValue keys = answer.get("splitKeys");
    ElementCursor each = keys == null ? null : keys.elements();
    if (each == null || !each.next()) {
      throw new CommandException(
          ErrorCode.CANNOT_SPLIT,
          "could not find a key to split "
              + chunk.range().min().toJson()
              + " -->> "
              + chunk.range().max().toJson()
              + " at");
    }
    return each.value().asDocument();
  }

  private void split(OperationContext operation, Namespace namespace, Chunk chunk, RawDocument at) {
    var command = new BsonBuilder();
    command.appendString("_configsvrSplit", namespace.full());
    command.startArray("bounds");
    command.appendDocument("0", chunk.range().min()).appendDocument("1", chunk.range().max());
    command.end().startArray("splitKeys").appendDocument("0", at).end();
    calls.call(operation, ShardRequest.configChange(command));
  }
}
