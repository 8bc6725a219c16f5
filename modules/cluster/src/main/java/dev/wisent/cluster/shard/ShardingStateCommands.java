package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.ShardTables;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import java.util.Comparator;

/** Commands that show what a shard knows of itself. */
final class ShardingStateCommands {
  private final Ownership ownership;

  ShardingStateCommands(Ownership ownership) {
    this.ownership = ownership;
  }

  /** {@code shardingState}. */
  void shardingState(CommandRequest request, CommandContext context, BsonBuilder reply) {
    noArguments(request);
    ShardTables tables = ownership.tables();
    RawDocument identity = tables.identity();
    reply.appendBoolean("enabled", identity != null);
    if (identity == null) {
      return;
    }
    reply.append("configServer", identity.get("configsvrConnectionString"));
    reply.append("shardName", identity.get("shardName"));
    reply.append("clusterId", identity.get("clusterId"));
    reply.startDocument("versions");
    tables.collections().values().stream()
        .sorted(Comparator.comparing(owned -> owned.namespace().full()))
        .forEach(
            owned -> reply.appendTimestamp(owned.namespace().full(), owned.version().combined()));
    reply.end();
  }

  /** {@code getShardVersion}. */
  void shardVersion(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = ShardArguments.namespace(request);
    boolean full = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "fullMetadata" -> full = reader.bool();
        default -> reader.unknown();
      }
    }
    ShardArguments.requireShard(ownership);
    ShardTables tables = ownership.tables();
    reply.append("configServer", tables.identity().get("configsvrConnectionString"));
    OwnedRanges owned = tables.collection(namespace);
    if (owned == null) {
      reply.appendString("global", "UNSHARDED");
    } else {
      reply.appendTimestamp("global", owned.version().combined());
    }
    if (full) {
      reply.startDocument("metadata");
      if (owned != null) {
        appendMetadata(owned, reply);
      }
      reply.end();
    }
  }

  private static void appendMetadata(OwnedRanges owned, BsonBuilder reply) {
    reply.appendTimestamp("collVersion", owned.version().combined());
    reply.appendObjectId("collVersionEpoch", owned.version().epoch());
    reply.appendTimestamp("collVersionTimestamp", owned.version().timestamp());
    reply.appendTimestamp("shardVersion", owned.version().combined());
    reply.appendObjectId("shardVersionEpoch", owned.version().epoch());
    reply.appendTimestamp("shardVersionTimestamp", owned.version().timestamp());
    reply.appendDocument("keyPattern", owned.key().pattern());
    reply.startArray("chunks");
    for (int i = 0; i < owned.ranges().size(); i++) {
      reply.startArray(i);
      reply.appendDocument(0, owned.ranges().get(i).min());
      reply.appendDocument(1, owned.ranges().get(i).max());
      reply.end();
    }
    reply.end();
  }

  /** {@code getDatabaseVersion}. */
  void databaseVersion(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String database = ShardArguments.name(request);
    noArguments(request);
    ShardArguments.requireShard(ownership);
    DatabaseVersion version = ownership.tables().database(database);
    reply.appendDocument("dbVersion", version == null ? RawDocument.EMPTY : version.toDocument());
    reply.appendBoolean("isInCriticalSection", ownership.tables().blocked().contains(database));
  }

  private static void noArguments(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }
}
