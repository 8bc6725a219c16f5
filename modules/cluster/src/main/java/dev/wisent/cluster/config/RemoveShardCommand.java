package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.DocumentFields;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/**
 * {@code _configsvrRemoveShard}: starts to drain a shard, tells what it still has, and removes it
 * when nothing is left.
 */
final class RemoveShardCommand implements Command {
  private static final String SHARDS = "shards";
  private static final int REMOVED_LOG_ID = 9_000_512;

  private final ClusterMetadata metadata;

  RemoveShardCommand(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    OperationContext operation = context.operation();
    RawDocument shard = metadata.store().findById(operation, SHARDS, name);
    if (shard == null) {
      throw ShardPrimaries.shardNotFound(name);
    }
    var asked = new Asked(request, context.client().remoteAddress(), shard);
    if (!DocumentFields.isTrue(shard, "draining")) {
      reply.appendAll(start(operation, asked));
      return;
    }
    long chunks = count(operation, "chunks", "shard", name);
    long databases = count(operation, "databases", "primary", name);
    if (chunks + databases > 0) {
      reply.appendString("msg", "draining ongoing").appendString("state", "ongoing");
      reply.startDocument("remaining");
      reply.appendInt64("chunks", chunks).appendInt64("dbs", databases);
      reply.appendInt64("jumboChunks", jumboChunks(operation, name)).end();
      appendDatabases(operation, name, reply);
      return;
    }
    reply.appendAll(remove(operation, asked));
  }

  /** A request, and the shard that it is about as it was seen. */
  private record Asked(CommandRequest request, String client, RawDocument shard) {
    String name() {
      return shard.get("_id").asString();
    }
  }

  private RawDocument start(OperationContext operation, Asked asked) {
    var told = new BsonBuilder().appendString("msg", "draining started successfully");
    told.appendString("state", "started").appendString("shard", asked.name());
    appendDatabases(operation, asked.name(), told);
    RawDocument result = told.toDocument();
    RawDocument draining = DocumentFields.with(asked.shard, "draining", RawValue.TRUE);
    metadata
        .writer()
        .change(
            operation,
            entry("removeShard.start", asked, result),
            change -> {
              checkNotNeeded(change, asked.shard);
              change.replace(SHARDS, asked.shard, draining);
            });
    return result;
  }

  private CatalogWriter.Entry entry(String what, Asked asked, RawDocument result) {
    return new CatalogWriter.Entry(
        what,
        "",
        new BsonBuilder().append("shard", asked.shard.get("_id")).toDocument(),
        asked.client,
        KeptOutcomes.of(asked.request, metadata.clock().wallMillis(), result));
  }

  private static void checkNotNeeded(CatalogChange change, RawDocument shard) {
    RawDocument staying = RawDocument.parse("{draining: {$ne: true}}");
    if (change.find(SHARDS, new FindRequest.Builder().filter(staying).limit(2)).size() < 2) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Operation not allowed because it would remove the last shard");
    }
    for (String zone : DocumentFields.texts(shard, "tags")) {
      if (ZoneCommands.isRequired(change, shard, zone)) {
        throw new CommandException(
            ErrorCode.ZONE_STILL_IN_USE,
            "Shard %s is the only one of the zone %s, which has ranges"
                .formatted(shard.get("_id").asString(), zone));
      }
    }
  }

  private RawDocument remove(OperationContext operation, Asked asked) {
    String name = asked.name();
    var told = new BsonBuilder().appendString("msg", "removeshard completed successfully");
    RawDocument result =
        told.appendString("state", "completed").appendString("shard", name).toDocument();
    metadata
        .writer()
        .change(
            operation,
            entry("removeShard", asked, result),
            change -> {
              if (isConcerned(change, name)
                  || change.findOne("chunks", filter("shard", name)) != null
                  || change.findOne("databases", filter("primary", name)) != null) {
                throw new CommandException(
                    ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
                    "Shard " + name + " gets chunks or databases, or a coordinator is running");
              }
              change.delete(SHARDS, asked.shard);
            });
    metadata.log().info(REMOVED_LOG_ID, "Removed a shard", "shard", name);
    return result;
  }

  /** Migrations between other shards do not matter. */
  private static boolean isConcerned(CatalogChange change, String shard) {
    return change.find(CoordinatorCollection.NAME, new FindRequest.Builder()).stream()
        .map(run -> DocumentFields.document(run, "arguments"))
        .anyMatch(
            arguments ->
                arguments.get("toShard") == null
                    || shard.equals(DocumentFields.text(arguments, "toShard"))
                    || shard.equals(DocumentFields.text(arguments, "fromShard")));
  }

  private static RawDocument filter(String field, String value) {
    return new BsonBuilder().appendString(field, value).toDocument();
  }

  private long count(OperationContext operation, String collection, String field, String shard) {
    return metadata.store().count(operation, collection, filter(field, shard));
  }

  private long jumboChunks(OperationContext operation, String shard) {
    RawDocument jumbo =
        new BsonBuilder().appendString("shard", shard).appendBoolean("jumbo", true).toDocument();
    return metadata.store().count(operation, "chunks", jumbo);
  }

  private void appendDatabases(OperationContext operation, String shard, BsonBuilder reply) {
    List<String> databases =
        metadata.store().find(operation, "databases", filter("primary", shard)).stream()
            .map(database -> database.get("_id").asString())
            .toList();
    reply.appendString("note", "you need to drop or movePrimary these databases");
    reply.append("dbsToMove", DocumentFields.arrayOfTexts(databases));
  }
}
