package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
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
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.wire.client.HostSelector;
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
          case "find" -> find = orNull(reader.document());
          case "middle" -> middle = orNull(reader.document());
          case "bounds" -> bounds = reader.documents().isEmpty() ? null : reader.documents();
          default -> reader.unknown();
        }
      }
      if (find == null && bounds == null && middle == null) {
        throw ChunkLookup.invalid("need to specify find/bounds or middle");
      }
      if (find != null && bounds != null) {
        throw ChunkLookup.invalid("cannot specify bounds and find at the same time");
      }
      if (middle != null && (find != null || bounds != null)) {
        throw ChunkLookup.invalid(
            "cannot specify %s and middle together".formatted(find == null ? "bounds" : "find"));
      }
    }

    /** An empty document counts as none. */
    private static RawDocument orNull(RawDocument given) {
      return given.isEmpty() ? null : given;
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var given = new Arguments(request);
    OperationContext operation = context.operation();
    var chunks = new ChunkLookup(catalog, operation, given.namespace);
    if (given.middle != null) {
      splitAt(operation, chunks.collection(), given.middle);
    } else {
      Chunk chunk = given.find == null ? chunks.of(given.bounds) : chunks.of(given.find);
      split(operation, given.namespace, chunk, middle(operation, chunks.collection(), chunk));
    }
    catalog.staleCollection(given.namespace, null);
  }

  private void splitAt(OperationContext operation, CollectionRouting collection, RawDocument at) {
    ShardKeyPattern pattern = collection.key();
    RawDocument key = pattern.normalized(at);
    if (key == null) {
      throw ChunkLookup.invalid(
          "new split key %s is not valid for shard key pattern %s"
              .formatted(ValueText.of(at), ValueText.of(pattern.pattern())));
    }
    Chunk chunk = collection.table().chunkOf(pattern.encode(key));
    ChunkRange range = chunk.range();
    if (ValueOrder.compare(key, range.min()) == 0 || ValueOrder.compare(key, range.max()) == 0) {
      throw ChunkLookup.invalid(
          "new split key %s is a boundary key of existing chunk [%s,%s)"
              .formatted(ValueText.of(key), ValueText.of(range.min()), ValueText.of(range.max())));
    }
    split(operation, collection.namespace(), chunk, key);
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
        calls.call(
            operation,
            ShardRequest.read(chunk.shard(), "admin", command.toDocument())
                .from(HostSelector.primary()));
    RawValue keys = answer.get("splitKeys");
    ElementCursor each = keys == null ? null : keys.elements();
    if (each == null || !each.next()) {
      throw new CommandException(
          ErrorCode.CANNOT_SPLIT, "Unable to find median in chunk because chunk is indivisible.");
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
