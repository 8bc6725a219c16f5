package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.cluster.router.read.ShardedReads;
import dev.wisent.cluster.router.write.ShardedWrites;
import dev.wisent.operation.Operations;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.node.ServerRole;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** A router: it keeps no data, and sends what clients ask to the shards that do. */
public final class RouterRole implements ServerRole {
  private static final int CONNECTIONS_PER_HOST_MAX = 1000;
  private static final int QUEUED_PER_HOST_MAX = 10_000;

  private final BackgroundLoops loops;
  private final RouterTimes times = new RouterTimes();
  private final NodeClient client;
  private final ReplicaSetMonitor config;
  private final CachedCatalog catalog;
  private final ShardSets sets;
  private final NodeShardCalls calls;
  private final RouterDatabases databases;
  private final RouterOperations operations;

  private RouterRole(String configDb, Clock clock, RandomSource random, BackgroundLoops loops) {
    this.loops = loops;
    this.client =
        new PooledNodeClient(
            NodeClientOptions.plain("router")
                .withBounds(CONNECTIONS_PER_HOST_MAX, QUEUED_PER_HOST_MAX)
                .withGossip(times),
            clock,
            loops);
    int slash = configDb.indexOf('/');
    this.config =
        new ReplicaSetMonitor(client, configDb.substring(0, slash), hosts(configDb), clock, loops);
    this.catalog = new CachedCatalog(client, config, clock);
    this.sets = new ShardSets(client, config, catalog, clock, loops);
    catalog.whenShardsRead(
        shards -> sets.retain(shards.stream().map(ShardInfo::name).collect(Collectors.toSet())));
    this.calls = new NodeShardCalls(client, sets);
    this.databases = new RouterDatabases(catalog, calls, clock);
    var reads = new ShardedReads(calls, catalog, databases::required);
    this.operations =
        new RouterOperations(
            catalog,
            reads,
            new ShardedWrites(
                catalog, databases::required, calls, reads, UpdateContexts.of(clock, random)));
  }

  /** Opens a router for the config servers that the options name. */
  public static ServerRole open(
      ServerOptions options,
      TopologyIdentity topology,
      Clock clock,
      RandomSource random,
      ServerLog log,
      BackgroundLoops loops,
      IntSupplier port) {
    String configDb = options.configDb().orElseThrow();
    if (configDb.indexOf('/') < 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Config servers are a replica set: name it as <set>/" + configDb);
    }
    return new RouterRole(configDb, clock, random, loops);
  }

  private static Set<HostAndPort> hosts(String configDb) {
    var hosts = new LinkedHashSet<HostAndPort>();
    for (String host : configDb.substring(configDb.indexOf('/') + 1).split(",", -1)) {
      hosts.add(HostAndPort.parse(host));
    }
    return hosts;
  }

  @Override
  public NodeRole kind() {
    return NodeRole.ROUTER;
  }

  @Override
  public Operations operations() {
    return operations;
  }

  @Override
  public Transactions transactions() {
    return new NoTransactions();
  }

  @Override
  public Optional<StoreServices> stored() {
    return Optional.empty();
  }

  @Override
  public void connect(MessageMemory memory, FailPoints failPoints) {
    // Nothing here reads large values or builds indexes.
  }

  @Override
  public List<CommandSpec> commands(ServerServices services) {
    return new RouterTable(calls).rows(services);
  }

  @Override
  public CommandRunner runner(ServerServices services) {
    var forwarding = new Forwarding(calls, services.cursors());
    return new RouterRunner(catalog, databases, calls, forwarding, times);
  }

  @Override
  public List<BackgroundLoop> jobs() {
    return List.of(catalog.job(loops));
  }

  @Override
  public void start() {}

  @Override
  public OptionalLong recoveredChanges() {
    return OptionalLong.empty();
  }

  @Override
  public void resign() {}

  @Override
  public void close() {
    sets.close();
    config.close();
    client.close();
  }
}
