package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.client.HostDescription;
import dev.wisent.wire.client.HostPoolStats;
import dev.wisent.wire.client.SetDescription;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code connPoolStats}: the connections that this node keeps to others. */
public final class ConnPoolStatsCommand implements Command {
  private final Supplier<List<HostPoolStats>> connections;
  private final Supplier<List<SetDescription>> sets;

  /**
   * @param connections those of this node, host by host
   * @param sets the replica sets that this node follows
   */
  public ConnPoolStatsCommand(
      Supplier<List<HostPoolStats>> connections, Supplier<List<SetDescription>> sets) {
    this.connections = connections;
    this.sets = sets;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<HostPoolStats> pools = connections.get();
    reply.appendInt32("numClientConnections", 0);
    reply.appendInt32("numAScopedConnections", 0);
    appendCounts(reply, pools, "totalInUse", "totalAvailable", "totalLeased", "totalCreated");
    reply.appendInt32("totalRefreshing", connecting(pools));
    reply.appendInt32("totalRefreshed", 0);
    reply.appendInt32("totalWasNeverUsed", 0);
    reply.appendString("replicaSetMatchingStrategy", "matchPrimaryNode");
    reply.startDocument("pools");
    by(pools, HostPoolStats::pool)
        .forEach(
            (pool, its) -> {
              reply.startDocument(pool);
              appendCounts(reply, its, "poolInUse", "poolAvailable", "poolLeased", "poolCreated");
              reply.appendInt32("poolRefreshing", connecting(its));
              reply.appendInt32("poolRefreshed", 0);
              reply.appendInt32("poolWasNeverUsed", 0);
              appendHosts(reply, its);
              reply.end();
            });
    reply.end();
    reply.startDocument("hosts");
    appendHosts(reply, pools);
    reply.end();
    reply.startDocument("replicaSets");
    sets.get().forEach(set -> appendSet(reply, set));
    reply.end();
  }

  private static void appendSet(BsonBuilder reply, SetDescription set) {
    reply.startDocument(set.setName()).startArray("hosts");
    int index = 0;
    for (HostDescription host : set.hosts()) {
      HostDescription.Kind kind = host.kind();
      reply.startDocument(index++);
      reply.appendString("addr", host.host().toString());
      reply.appendBoolean("ok", kind != HostDescription.Kind.UNKNOWN);
      reply.appendBoolean("ismaster", kind == HostDescription.Kind.PRIMARY);
      reply.appendBoolean("hidden", false);
      reply.appendBoolean("secondary", kind == HostDescription.Kind.SECONDARY);
      reply.end();
    }
    reply.end().end();
  }

  private static Map<String, List<HostPoolStats>> by(
      List<HostPoolStats> pools, Function<HostPoolStats, String> key) {
    return pools.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private static void appendHosts(BsonBuilder reply, List<HostPoolStats> pools) {
    by(pools, each -> each.host().toString())
        .forEach(
            (host, its) -> {
              reply.startDocument(host);
              appendCounts(reply, its, "inUse", "available", "leased", "created");
              reply.appendInt32("refreshing", connecting(its));
              reply.appendInt32("refreshed", 0);
              reply.appendInt32("wasNeverUsed", 0);
              reply.end();
            });
  }

  private static int connecting(List<HostPoolStats> pools) {
    return pools.stream().mapToInt(HostPoolStats::connecting).sum();
  }

  private static void appendCounts(
      BsonBuilder reply,
      List<HostPoolStats> pools,
      String inUse,
      String available,
      String leased,
      String created) {
    reply.appendInt32(inUse, pools.stream().mapToInt(HostPoolStats::inUse).sum());
    reply.appendInt32(available, pools.stream().mapToInt(HostPoolStats::available).sum());
    reply.appendInt32(leased, 0);
    reply.appendInt32(created, (int) pools.stream().mapToLong(HostPoolStats::created).sum());
  }
}
