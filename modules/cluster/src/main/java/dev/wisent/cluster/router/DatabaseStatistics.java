package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
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

  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  DatabaseStatistics(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
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
    List<String> shards =
        config
            ? List.of(ShardCalls.CONFIG)
            : catalog.shards(context.operation()).stream().map(ShardInfo::name).toList();
    List<ShardReply> replies =
        calls.callAll(
            context.operation(),
            shards.stream()
                .map(shard -> ShardRequest.control(shard, request.database(), ask))
                .toList());
    write(request.database(), replies, reply);
  }

  private static void write(String database, List<ShardReply> replies, BsonBuilder reply) {
    Map<String, Double> sums = new LinkedHashMap<>();
    reply.startDocument("raw");
    for (ShardReply each : replies) {
      reply.startDocument(each.request().shard());
      ElementCursor fields = each.get().elements();
      while (fields.next()) {
        if (!ShardReply.isOfTheNode(fields.name())) {
          reply.appendElement(fields);
        }
        if (fields.value().isNumber() && SUMS.contains(fields.name())) {
          sums.merge(fields.name(), fields.value().toDouble(), Double::sum);
        }
      }
      reply.end();
    }
    reply.end().appendString("db", database);
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
