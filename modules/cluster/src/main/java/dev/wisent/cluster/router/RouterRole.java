package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cluster.call.NodeShardCalls;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardSets;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.cluster.catalog.CachedCatalog;
import dev.wisent.cluster.router.backup.BackupForwarding;
import dev.wisent.cluster.router.diagnostic.AllShards;
import dev.wisent.cluster.router.diagnostic.DiagnosticRows;
import dev.wisent.cluster.router.diagnostic.RouterNetwork;
import dev.wisent.cluster.router.diagnostic.RouterSources;
import dev.wisent.cluster.router.diagnostic.ShardingSections;
import dev.wisent.cluster.router.diagnostic.TargetCounts;
import dev.wisent.cluster.router.read.OpenOutputs;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.cluster.router.read.ShardedReads;
import dev.wisent.cluster.router.statistics.GatheredCommands;
import dev.wisent.cluster.router.stream.ClusterStreams;
import dev.wisent.cluster.router.write.ShardedWrites;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.SortSettings;
import dev.wisent.operation.UpdateContexts;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.analysis.QueryAnalysis;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.node.ServerRole;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.server.user.UserTable;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.storage.TemporaryFiles;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostPoolStats;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import dev.wisent.wire.client.SetDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
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
  private final SnapshotTimes snapshots;
  private final RouterTransactions routerTransactions;
  private final ConfigForwarding configForwarding;
  private final TargetCounts targets = new TargetCounts();
  private final RouterOperations operations;
  private final ClusterConcerns concerns;
  private final List<BackgroundLoop> jobs;

  /** Null before the commands are made. */
  private QueryAnalysis analysis;

  private RouterRole(
      String configDb,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops,
      IntSupplier port,
      MemberConnections members) {
    if (configDb.indexOf('/') <= 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Config servers are a replica set: name it as <set>/" + configDb);
    }
    ConnectionString servers = ConnectionString.parse(configDb);
    this.client = new PooledNodeClient(members.options("router").withGossip(times), clock, loops);
    this.config = new ReplicaSetMonitor(client, servers.setName(), servers.hosts(), clock, loops);
    this.catalog = new CachedCatalog(client, config, clock);
    this.sets = new ShardSets(client, config, catalog, clock, loops);
    this.calls = new NodeShardCalls(client, sets, random);
    this.places = new Places(catalog, calls);
    this.snapshots = new SnapshotTimes(times, new SnapshotKeeper(catalog, calls, clock));
    this.routerTransactions = new RouterTransactions(calls, snapshots, clock);
    this.configForwarding = new ConfigForwarding(calls, catalog);
    Function<String, DatabaseRouting> databases =
        name -> places.existing(OperationContext.internal(clock), name);
    var open = new OpenOutputs(calls, clock, random);
    var settings = new SortSettings(TemporaryFiles.ofSystem(), MemoryBudget.ofHeap());
    ReadRouting reads = new ShardedReads(calls, catalog, databases, settings, open);
    this.operations =
        new RouterOperations(
            catalog,
            reads,
            new ShardedWrites(
                catalog,
                databases,
                calls,
                reads,
                snapshots::newest,
                UpdateContexts.of(clock, random)),
            new ClusterStreams(calls, catalog, times::newest, settings, clock));
    catalog.whenShardsRead(
        shards -> sets.retain(shards.stream().map(ShardInfo::name).collect(Collectors.toSet())));
    var ping = new RouterPing(calls, clock, port);
    this.concerns = new ClusterConcerns(calls, clock);
    this.jobs =
        List.of(
            catalog.job(loops),
            loops.every(PING_PERIOD, "router-ping", ping::run),
            loops.every(OpenOutputs.PERIOD, "open-outputs", open::tell),
            loops.every(PING_PERIOD, "cluster-concerns", concerns::refresh));
  }

  /** Opens a router for a server that is about to listen. */
  public static ServerRole open(
      ServerOptions options,
      TopologyIdentity topology,
      Clock clock,
      RandomSource random,
      ServerLog log,
      BackgroundLoops loops,
      IntSupplier port,
      MemberConnections members) {
    return new RouterRole(options.configDb().orElseThrow(), clock, random, loops, port, members);
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
    return new NoTransactions() {
      @Override
      public int abortAll(Predicate<SessionId> sessions, ErrorCode reason) {
        return routerTransactions.forget(sessions);
      }
    };
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
    operations.sources(new RouterSources(here, catalog, shards));
    var sections =
        new HashMap<String, ServerStatusCommand.Section>(
            new ShardingSections(catalog, calls, targets).all());
    sections.put("transactions", (context, out) -> routerTransactions.append(out));
    var rows =
        new ArrayList<>(
            new DiagnosticRows(services, catalog, shards, this, sections, concerns::refresh)
                .rows());
    var ends = new TransactionEnd(calls, routerTransactions, services.cursors());
    var cluster = new ClusterCommands(catalog, calls, config::description, services.cursors());
    rows.addAll(
        new RouterTable(catalog, configForwarding, calls, places, shards, cluster, ends).rows());
    rows.addAll(new BackupForwarding(services, calls, catalog).rows());
    rows.addAll(configForwarding.ofUsers(UserTable.all(services), services.access().users()));
    analysis =
        QueryAnalysis.sampling(
            services,
            new RouterConfigCalls(calls, services.clock()),
            new RouterCollections(catalog, places, calls),
            RouterRole::besides);
    var retry = new StaleRetry(catalog);
    rows.addAll(analysis.rows(command -> retried(retry, command)));
    return rows;
  }

  /** The context of a read beside an operation, for the same client. */
  private static OperationContext besides(RunningOperation operation) {
    OperationContext context = OperationContext.internal(operation.context().clock());
    RoutedOperation.attach(context, operation.request());
    return context;
  }

  /** A command that reads shards again where its routes were stale. */
  private static Command retried(StaleRetry retry, Command command) {
    return (request, context, reply) -> {
      int start = reply.position();
      retry.run(
          context.operation(),
          () -> {
            reply.truncateToOutermost(start);
            command.run(request, context, reply);
            return null;
          });
    };
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
    return analysis.around(
        new RouterRunner(
            catalog,
            places,
            new Forwarder(calls, services.cursors()),
            configForwarding,
            new GatheredCommands(calls),
            routerTransactions,
            times,
            snapshots,
            targets,
            concerns));
  }

  @Override
  public List<BackgroundLoop> jobs() {
    var all = new ArrayList<>(jobs);
    all.addAll(analysis.jobs());
    return all;
  }

  /** The cluster hears of this router at once, and not after the first period. */
  @Override
  public void start() {
    jobs.forEach(BackgroundLoop::wake);
  }

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
