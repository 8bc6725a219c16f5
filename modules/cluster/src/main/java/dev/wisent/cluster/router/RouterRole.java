package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.ShardSets;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.cluster.router.diagnostic.DiagnosticRows;
import dev.wisent.cluster.router.diagnostic.RouterNetwork;
import dev.wisent.cluster.router.diagnostic.RouterSources;
import dev.wisent.cluster.router.diagnostic.ShardOperations;
import dev.wisent.cluster.router.diagnostic.ShardingSections;
import dev.wisent.cluster.router.diagnostic.TargetCounts;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.cluster.router.read.ShardedReads;
import dev.wisent.cluster.router.statistics.GatheredCommands;
import dev.wisent.cluster.router.write.ShardedWrites;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.SortSettings;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.node.ServerRole;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.storage.TemporaryFiles;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostPoolStats;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import dev.wisent.wire.client.SetDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** A router: it keeps nothing, and serves clients from the shards that the config servers name. */
public final class RouterRole implements ServerRole, RouterNetwork {
  private static final Duration PING_PERIOD = Duration.ofSeconds(10);

  private final RouterTimes times = new RouterTimes();
  private final PooledNodeClient client;
  private final ReplicaSetMonitor config;
  private final CachedCatalog catalog;
  private final ShardSets sets;
  private final NodeShardCalls calls;
  private final Places places;
  private final RouterTransactions routerTransactions;
  private final ConfigForwarding configForwarding;
  private final TargetCounts targets = new TargetCounts();
  private final RouterOperations operations;
  private final List<BackgroundLoop> jobs;

  private RouterRole(
      String configDb, Clock clock, RandomSource random, BackgroundLoops loops, IntSupplier port) {
    if (configDb.indexOf('/') <= 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Config servers are a replica set: name it as <set>/" + configDb);
    }
    ConnectionString servers = ConnectionString.parse(configDb);
    this.client =
        new PooledNodeClient(NodeClientOptions.plain("router").withGossip(times), clock, loops);
    this.config = new ReplicaSetMonitor(client, servers.setName(), servers.hosts(), clock, loops);
    this.catalog = new CachedCatalog(client, config, clock);
    this.sets = new ShardSets(client, config, catalog, clock, loops);
    this.calls = new NodeShardCalls(client, sets);
    this.places = new Places(catalog, calls);
    this.routerTransactions =
        new RouterTransactions(calls, times, new SnapshotKeeper(catalog, calls, clock), clock);
    this.configForwarding = new ConfigForwarding(calls, catalog);
    Function<String, DatabaseRouting> databases =
        name -> places.existing(OperationContext.internal(clock), name);
    ReadRouting reads =
        new ShardedReads(
            calls,
            catalog,
            databases,
            new SortSettings(TemporaryFiles.ofSystem(), MemoryBudget.ofHeap()));
    this.operations =
        new RouterOperations(
            catalog,
            reads,
            new ShardedWrites(catalog, databases, calls, reads, UpdateContexts.of(clock, random)));
    catalog.whenShardsRead(
        shards -> sets.retain(shards.stream().map(ShardInfo::name).collect(Collectors.toSet())));
    var ping = new RouterPing(calls, clock, port);
    this.jobs = List.of(catalog.job(loops), loops.every(PING_PERIOD, "router-ping", ping::run));
  }

  /** Opens a router for a server that is about to listen. */
  public static ServerRole open(
      ServerOptions options,
      TopologyIdentity topology,
      Clock clock,
      RandomSource random,
      ServerLog log,
      BackgroundLoops loops,
      IntSupplier port) {
    return new RouterRole(options.configDb().orElseThrow(), clock, random, loops, port);
  }

  @Override
  public NodeRole kind() {
    return NodeRole.ROUTER;
  }

  @Override
  public Operations operations() {
    return operations;
  }

  /** Transactions run on shards; {@link RouterTransactions} tells which. */
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
    var shards = new AllShards(catalog, calls);
    var here = new CurrentOpSource(DiagnosticRows.here(services), services.cursors());
    operations.sources(new RouterSources(here, new ShardOperations(shards)));
    Map<String, ServerStatusCommand.Section> sections =
        new ShardingSections(catalog, calls, targets).all();
    var rows =
        new ArrayList<>(new DiagnosticRows(services, catalog, shards, this, sections).rows());
    var ends = new TransactionEnd(calls, routerTransactions, services.cursors());
    var cluster = new ClusterCommands(catalog, calls, config::description, services.cursors());
    rows.addAll(
        new RouterTable(catalog, configForwarding, calls, places, shards, cluster, ends).rows());
    return rows;
  }

  @Override
  public List<HostPoolStats> connections() {
    return client.stats();
  }

  @Override
  public List<SetDescription> sets() {
    return sets.descriptions();
  }

  @Override
  public void dropConnections(Set<HostAndPort> hosts) {
    client.dropConnections(hosts);
  }

  @Override
  public CommandRunner runner(ServerServices services) {
    return new RouterRunner(
        catalog,
        places,
        new Forwarder(calls, services.cursors()),
        configForwarding,
        new GatheredCommands(calls),
        routerTransactions,
        times,
        targets);
  }

  @Override
  public List<BackgroundLoop> jobs() {
    return jobs;
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
