package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code dbStats} over all shards: figures are sums, and each shard's reply is in {@code raw}. */
final class DatabaseStatistics implements Command {
  /** The sums, in the order of the reply. */
  private static final List<String> SUMS =
      List.of(
          "collections",
          "views",
          "objects",
          "dataSize",
          "storageSize",
          "totalFreeStorageSize",
          "indexes",
          "indexSize",
          "indexFreeStorageSize",
          "totalSize");

  private final AllShards all;

  DatabaseStatistics(AllShards all) {
    this.all = all;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var command = new BsonBuilder();
    command.append("dbStats", request.argument());
    for (String option : new String[] {"scale", "freeStorage"}) {
      RawValue value = request.body().get(option);
      if (value != null) {
        command.append(option, value);
      }
    }
    RawDocument ask = command.toDocument();
    boolean config = Places.isOfConfigServers(request.database());
    List<String> shards = config ? List.of(ShardCalls.CONFIG) : all.names(context.operation());
    List<ShardReply> replies = all.call(context.operation(), shards, request.database(), ask);
    write(request.database(), replies, reply);
  }

  private void write(String database, List<ShardReply> replies, BsonBuilder reply) {
    Map<String, Double> sums = new LinkedHashMap<>();
    all.appendRaw(replies, reply);
    for (ShardReply each : replies) {
      ElementCursor fields = each.get().elements();
      while (fields.next()) {
        if (fields.value().isNumber() && SUMS.contains(fields.name())) {
          sums.merge(fields.name(), fields.value().toDouble(), Double::sum);
        }
      }
    }
    reply.appendString("db", database);
    for (String name : SUMS) {
      if (sums.containsKey(name)) {
        appendWhole(reply, name, sums.get(name));
      }
      if (name.equals("objects")) {
        double objects = sums.getOrDefault(name, 0.0);
        double bytes = sums.getOrDefault("dataSize", 0.0);
        reply.appendDouble("avgObjSize", objects == 0 ? 0 : bytes / objects);
      }
    }
    RawValue scale = replies.isEmpty() ? null : replies.getFirst().get().get("scaleFactor");
    if (scale != null) {
      reply.append("scaleFactor", scale);
    }
  }

  private static void appendWhole(BsonBuilder reply, String name, double value) {
    if (value == Math.rint(value)) {
      reply.appendInt64(name, (long) value);
    } else {
      reply.appendDouble(name, value);
    }
  }
}
