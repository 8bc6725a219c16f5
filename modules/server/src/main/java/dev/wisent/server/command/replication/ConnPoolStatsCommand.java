package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.MemberLink;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code connPoolStats}: the connections that this node keeps to others. */
final class ConnPoolStatsCommand implements Command {
  private final Optional<ReplicaSetControl> control;

  /**
   * @param control empty for a standalone, which has no such connections
   */
  ConnPoolStatsCommand(Optional<ReplicaSetControl> control) {
    this.control = control;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<MemberLink> links = control.map(ReplicaSetControl::links).orElse(List.of());
    reply.appendInt32("numClientConnections", 0);
    reply.appendInt32("numAScopedConnections", 0);
    appendCounts(reply, links, "totalInUse", "totalAvailable", "totalLeased", "totalCreated");
    reply.appendInt32("totalRefreshing", 0);
    reply.appendInt32("totalRefreshed", 0);
    reply.appendInt32("totalWasNeverUsed", 0);
    reply.appendString("replicaSetMatchingStrategy", "matchPrimaryNode");
    reply.startDocument("pools");
    by(links, MemberLink::pool)
        .forEach(
            (pool, its) -> {
              reply.startDocument(pool);
              appendCounts(reply, its, "poolInUse", "poolAvailable", "poolLeased", "poolCreated");
              reply.appendInt32("poolRefreshing", 0);
              reply.appendInt32("poolRefreshed", 0);
              reply.appendInt32("poolWasNeverUsed", 0);
              appendHosts(reply, its);
              reply.end();
            });
    reply.end();
    reply.startDocument("hosts");
    appendHosts(reply, links);
    reply.end();
    reply.startDocument("replicaSets").end();
  }

  private static Map<String, List<MemberLink>> by(
      List<MemberLink> links, Function<MemberLink, String> key) {
    return links.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private static void appendHosts(BsonBuilder reply, List<MemberLink> links) {
    by(links, MemberLink::host)
        .forEach(
            (host, its) -> {
              reply.startDocument(host);
              appendCounts(reply, its, "inUse", "available", "leased", "created");
              reply.appendInt32("refreshing", 0);
              reply.appendInt32("refreshed", 0);
              reply.appendInt32("wasNeverUsed", 0);
              reply.end();
            });
  }

  private static void appendCounts(
      BsonBuilder reply,
      List<MemberLink> links,
      String inUse,
      String available,
      String leased,
      String created) {
    int used = (int) links.stream().filter(MemberLink::inUse).count();
    int open = (int) links.stream().filter(MemberLink::open).count();
    reply.appendInt32(inUse, used);
    reply.appendInt32(available, open - used);
    reply.appendInt32(leased, 0);
    reply.appendInt32(created, links.stream().mapToInt(MemberLink::created).sum());
  }
}
