package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/**
 * {@code _shardsvrGetStatsForBalancing}: how large collections are here, without orphans, and how
 * much data the shard has in all. These are counters: no data is read.
 */
final class BalancingStatsCommand implements Command {
  private final Definitions definitions;
  private final Diagnostics diagnostics;

  BalancingStatsCommand(Definitions definitions, Diagnostics diagnostics) {
    this.definitions = definitions;
    this.diagnostics = diagnostics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<RawDocument> collections = List.of();
    long scale = 1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "collections" -> collections = reader.documents();
        case "scaleFactor" -> scale = Math.max(1, reader.wholeNumber());
        default -> reader.unknown();
      }
    }
    reply.startArray("stats");
    for (int i = 0; i < collections.size(); i++) {
      RawDocument collection = collections.get(i);
      reply.startDocument(i).append("ns", collection.get("ns"));
      reply.append("UUID", collection.get("UUID"));
      reply.appendInt64("collSize", bytes(collection) / scale).end();
    }
    reply.end();
    reply.appendInt64("totalSize", totalBytes(context) / scale);
  }

  /** Zero for one that the shard has not, or has in another life. */
  private long bytes(RawDocument collection) {
    Namespace namespace = Namespace.parse(collection.get("ns").asString());
    CollectionInfo info = definitions.find(namespace);
    RawValue uuid = collection.get("UUID");
    return info == null || info.uuid() == null || !info.uuid().equals(uuid.asUuid())
        ? 0
        : diagnostics.dataSize(namespace).ownedBytes();
  }

  private long totalBytes(CommandContext context) {
    long sum = 0;
    for (String database : definitions.databases()) {
      for (CollectionInfo each : definitions.collections(database)) {
        context.operation().checkInterrupt();
        sum += each.uuid() == null ? 0 : diagnostics.dataSize(each.namespace()).bytes();
      }
    }
    return sum;
  }
}
