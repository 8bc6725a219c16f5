package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.diagnostic.ServerStatusCommand.Section;
import java.util.Map;

/** The sections of {@code serverStatus} that are about the cluster. */
public final class ShardingSections {
  private final CachedCatalog catalog;
  private final NodeShardCalls calls;
  private final TargetCounts targets;

  public ShardingSections(CachedCatalog catalog, NodeShardCalls calls, TargetCounts targets) {
    this.catalog = catalog;
    this.calls = calls;
    this.targets = targets;
  }

  public Map<String, Section> all() {
    return Map.of("sharding", this::sharding, "shardingStatistics", this::statistics);
  }

  private void sharding(CommandContext context, BsonBuilder out) {
    out.appendString("configsvrConnectionString", calls.connectionString(ShardCalls.CONFIG));
  }

  private void statistics(CommandContext context, BsonBuilder out) {
    out.startDocument("numHostsTargeted");
    targets.append(out);
    out.end();
    CachedCatalog.Figures figures = catalog.figures();
    out.startDocument("catalogCache");
    out.appendInt64("numDatabaseEntries", figures.databases());
    out.appendInt64("numCollectionEntries", figures.collections());
    out.appendInt64("countStaleConfigErrors", figures.staleErrors());
    out.appendInt64("countIncrementalRefreshesStarted", figures.incrementalReads());
    out.appendInt64("countFullRefreshesStarted", figures.fullReads());
    out.appendInt64("countFailedRefreshes", figures.failedReads());
    out.end();
    out.appendBoolean("configServerInShardCache", catalog.knowsShard(ShardCalls.CONFIG));
  }
}
