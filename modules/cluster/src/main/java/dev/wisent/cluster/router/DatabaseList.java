package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code listDatabases} over all shards: sizes are sums, and each shard's part is shown. A filter
 * is for the sums.
 */
final class DatabaseList implements Command {
  private static final int MEGABYTE = 1 << 20;
  private static final RawDocument ASK =
      new BsonBuilder().appendInt32("listDatabases", 1).toDocument();

  /** Each node's own. */
  private static final Set<String> OF_NODES = Set.of("local", "admin", "config");

  private final AllShards shards;

  private static final class Sizes {
    private long bytes;
    private final Map<String, Long> byShard = new TreeMap<>();
  }

  DatabaseList(AllShards shards) {
    this.shards = shards;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean namesOnly = false;
    RawDocument filter = RawDocument.EMPTY;
    Principal principal = request.principal();
    boolean onlyKnown = !principal.onCluster(Action.LIST_DATABASES);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "nameOnly" -> namesOnly = reader.bool();
        case "filter" -> filter = reader.document();
        case "authorizedDatabases" -> onlyKnown |= reader.bool();
        default -> reader.unknown();
      }
    }
    MatchExpression matching = MatchParser.parse(filter, QueryContexts.of(context.operation()));
    reply.startArray("databases");
    int index = 0;
    long total = 0;
    for (Map.Entry<String, Sizes> found : find(context.operation()).entrySet()) {
      RawDocument entry = entry(found.getKey(), found.getValue(), namesOnly);
      boolean shown = !onlyKnown || principal.knows(found.getKey());
      if (shown && matching.matches(entry)) {
        reply.appendDocument(index++, entry);
        total += found.getValue().bytes;
      }
    }
    reply.end();
    if (!namesOnly) {
      reply.appendInt64("totalSize", total).appendInt64("totalSizeMb", total / MEGABYTE);
    }
  }

  private static RawDocument entry(String name, Sizes sizes, boolean nameOnly) {
    var entry = new BsonBuilder().appendString("name", name);
    if (!nameOnly) {
      entry.appendInt64("sizeOnDisk", sizes.bytes).appendBoolean("empty", false);
      entry.startDocument("shards");
      sizes.byShard.forEach(entry::appendInt64);
      entry.end();
    }
    return entry.toDocument();
  }

  private Map<String, Sizes> find(OperationContext operation) {
    var found = new TreeMap<String, Sizes>();
    boolean hasConfigShard = shards.names(operation).contains(ShardCalls.CONFIG);
    for (ShardReply reply : shards.call(operation, shards.withConfig(operation), "admin", ASK)) {
      String shard = reply.request().shard();
      boolean config = shard.equals(ShardCalls.CONFIG);
      add(found, shard, config, !config || hasConfigShard, reply.get());
    }
    return found;
  }

  /**
   * @param own whether the databases of nodes are the cluster's
   * @param others whether all others are
   */
  private static void add(
      Map<String, Sizes> found, String shard, boolean own, boolean others, RawDocument reply) {
    ElementCursor each = reply.get("databases").elements();
    while (each.next()) {
      RawDocument database = each.value().asDocument();
      String name = database.get("name").asString();
      if (name.equals("local") || !(OF_NODES.contains(name) ? own : others)) {
        continue;
      }
      long bytes = database.get("sizeOnDisk").toLong();
      Sizes sizes = found.computeIfAbsent(name, key -> new Sizes());
      sizes.bytes += bytes;
      sizes.byShard.merge(shard, bytes, Long::sum);
    }
  }
}
