package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code listDatabases} over all shards: sizes are sums, and each shard's part is shown. */
final class DatabaseList implements Command {
  private static final int MEGABYTE = 1 << 20;

  /** Each node's own. */
  private static final Set<String> OF_NODES = Set.of("local", "admin", "config");

  private final RoutingCatalog catalog;
  private final ShardCalls calls;

  private static final class Sizes {
    private long bytes;
    private final Map<String, Long> byShard = new TreeMap<>();
  }

  DatabaseList(RoutingCatalog catalog, ShardCalls calls) {
    this.catalog = catalog;
    this.calls = calls;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument body = request.body();
    boolean namesOnly = isTrue(body, "nameOnly");
    Map<String, Sizes> found = find(context.operation(), body.get("filter"));
    reply.startArray("databases");
    int index = 0;
    long total = 0;
    for (Map.Entry<String, Sizes> entry : found.entrySet()) {
      Sizes sizes = entry.getValue();
      reply.startDocument(index++).appendString("name", entry.getKey());
      if (!namesOnly) {
        reply.appendInt64("sizeOnDisk", sizes.bytes).appendBoolean("empty", sizes.bytes == 0);
        reply.startDocument("shards");
        sizes.byShard.forEach(reply::appendInt64);
        reply.end();
      }
      reply.end();
      total += sizes.bytes;
    }
    reply.end();
    if (!namesOnly) {
      reply.appendInt64("totalSize", total).appendInt64("totalSizeMb", total / MEGABYTE);
    }
  }

  private Map<String, Sizes> find(OperationContext operation, RawValue filter) {
    var command = new BsonBuilder();
    command.appendInt32("listDatabases", 1);
    if (filter != null) {
      command.append("filter", filter);
    }
    RawDocument ask = command.toDocument();
    List<ShardRequest> requests = new ArrayList<>();
    for (ShardInfo shard : catalog.shards(operation)) {
      requests.add(ShardRequest.control(shard.name(), "admin", ask));
    }
    requests.add(ShardRequest.control(ShardCalls.CONFIG, "admin", ask));
    var found = new TreeMap<String, Sizes>();
    for (ShardReply reply : calls.callAll(operation, requests)) {
      add(found, reply.request().shard(), reply.get());
    }
    return found;
  }

  private static void add(Map<String, Sizes> found, String shard, RawDocument reply) {
    boolean config = shard.equals(ShardCalls.CONFIG);
    ElementCursor each = reply.get("databases").elements();
    while (each.next()) {
      RawDocument database = each.value().asDocument();
      String name = database.get("name").asString();
      if (OF_NODES.contains(name) != config || name.equals("local")) {
        continue;
      }
      long bytes = database.get("sizeOnDisk").toLong();
      Sizes sizes = found.computeIfAbsent(name, key -> new Sizes());
      sizes.bytes += bytes;
      sizes.byShard.merge(shard, bytes, Long::sum);
    }
  }

  private static boolean isTrue(RawDocument body, String field) {
    RawValue value = body.get(field);
    return value != null && value.isTruthy();
  }
}
