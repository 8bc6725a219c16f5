package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;

/** {@code clearJumboFlag}: of the chunk that has a document, or given bounds. */
final class ClearJumboFlagCommand implements Command {
  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  ClearJumboFlagCommand(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace =
        Namespace.parse(
            ArgumentTypes.string(request.name() + "." + request.name(), request.argument()));
    RawDocument find = null;
    List<RawDocument> bounds = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "find" -> find = reader.document();
        case "bounds" -> bounds = reader.documents();
        default -> reader.unknown();
      }
    }
    var chunks = new ChunkLookup(catalog, context.operation(), namespace);
    if (bounds != null && bounds.size() != 2) {
      throw ChunkLookup.invalid("bounds can only have exactly 2 elements");
    }
    if (bounds != null && find != null) {
      throw ChunkLookup.invalid("cannot specify bounds and find at the same time");
    }
    if (bounds == null && find == null) {
      throw ChunkLookup.invalid("need to specify find or bounds");
    }
    Chunk chunk = find == null ? chunks.of(bounds) : chunks.of(find);
    var command = new BsonBuilder();
    command.appendString("_configsvrClearJumboFlag", namespace.full()).startArray("bounds");
    command.appendDocument(0, chunk.range().min()).appendDocument(1, chunk.range().max()).end();
    calls.call(context.operation(), ShardRequest.configChange(command));
    catalog.staleCollection(namespace, null);
  }
}
