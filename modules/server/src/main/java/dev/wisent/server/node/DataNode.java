package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.definition.NodeDefinitions;
import dev.wisent.database.diagnostic.NodeDiagnostics;
import dev.wisent.database.diagnostic.NodeOplog;
import dev.wisent.database.diagnostic.NodePlanCaches;
import dev.wisent.database.diagnostic.NodeVirtualReads;
import dev.wisent.database.diagnostic.StoreControl;
import dev.wisent.operation.Operations;
import dev.wisent.operation.VirtualReads;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.replication.member.ApplierReference;
import dev.wisent.replication.member.ArbiterApplier;
import dev.wisent.replication.member.DatabaseApplier;
import dev.wisent.replication.member.DelayedApplier;
import dev.wisent.replication.member.LeadershipHandler;
import dev.wisent.replication.member.MemberSetup;
import dev.wisent.replication.member.ObservedApplier;
import dev.wisent.replication.member.ReplicaSetMember;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.replication.raft.RaftOptions;
import dev.wisent.replication.raft.RatisNode;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.ValidationLog;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.CrashRecovery;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;

/** What holds a node's data: alone, or as a member of a replica set. */
final class DataNode implements ServerRole {
  private static final String RAFT_DIRECTORY = "raft";
  private static final int RECOVERED_LOG_ID = 9_000_105;

  private final Environment environment;
  private final StorageEngine storage;
  private final CommitLog commitLog;
  private final NodeDatabase database;
  private final Optional<Membership> membership;

  /** Null on a member: its log is started again instead. */
  private final StoreRecovery recovery;

  /** What only a member of a replica set has. */
  private record Membership(
      RaftNode raft,
      DelayedApplier applier,
      ReplicaSetMember member,
      UnreplicatedStore unreplicated) {}

  /** What the server gives to its role. */
  private record Environment(
      ServerOptions options, Clock clock, ServerLog log, BackgroundLoops loops) {
    Log log(LogComponent component) {
      return log.of(component);
    }
  }

  private DataNode(
      Environment environment,
      StorageEngine storage,
      CommitLog commitLog,
      NodeDatabase database,
      StoreRecovery recovery,
      Optional<Membership> membership) {
    this.environment = environment;
    this.storage = storage;
    this.commitLog = commitLog;
    this.database = database;
    this.recovery = recovery;
    this.membership = membership;
  }

  /**
   * Opens the data directory.
   *
   * @param port where clients reach this node, once it listens
   */
  static DataNode open(
      ServerOptions options,
      TopologyIdentity topology,
      Clock clock,
      ServerLog serverLog,
      BackgroundLoops loops,
      IntSupplier port) {
    boolean replicated = options.replicaSet().isPresent();
    if (!replicated) {
      refuseMembersData(options.dbPath());
    }
    StorageOptions storageOptions =
        StorageOptions.defaults(options.dbPath())
            .withJournalIntervalMillis(options.journalIntervalMillis())
            .withCacheBytes(
                options.cacheBytes() > 0 ? options.cacheBytes() : CacheSize.ofMachine());
    if (replicated) {
      if (!isMembersData(options.dbPath())) {
        UnreplicatedStore.takeFromStandalone(
            storageOptions, clock, loops, serverLog.of(LogComponent.STORAGE));
      }
      storageOptions = storageOptions.withReplicatedLog();
    }
    var environment = new Environment(options, clock, serverLog, loops);
    StorageEngine storage = StorageEngine.open(storageOptions);
    try {
      return replicated
          ? member(environment, storage, topology, port)
          : standalone(environment, storage);
    } catch (RuntimeException | Error e) {
      storage.close();
      throw e;
    }
  }

  /**
   * How many changes the store's own log brought back after a crash. Empty if there was none, and
   * on a member, which has the set's log instead.
   */
  @Override
  public OptionalLong recoveredChanges() {
    if (membership.isPresent()) {
      return OptionalLong.empty();
    }
    return storage.recovery().stream().mapToLong(CrashRecovery::changes).findFirst();
  }

  /** A standalone would write beside the log that the others have. */
  private static void refuseMembersData(Path dbPath) {
    if (isMembersData(dbPath)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "The data directory "
              + dbPath
              + " belongs to a member of a replica set: start it with --replSet");
    }
  }

  private static boolean isMembersData(Path dbPath) {
    return Files.exists(dbPath.resolve(RAFT_DIRECTORY).resolve("group"));
  }

  private static DataNode standalone(Environment environment, StorageEngine storage) {
    Clock clock = environment.clock();
    BackgroundLoops loops = environment.loops();
    Log log = environment.log(LogComponent.STORAGE);
    LocalCommitLog commits = LocalCommitLog.start(storage, loops);
    LocalDatabase database = LocalDatabase.open(storage, commits, clock);
    UnreplicatedStore.giveToStandalone(database, clock, loops, log);
    var recovery = StoreRecovery.start(storage, commits, database, loops, log);
    return new DataNode(
        environment,
        storage,
        commits,
        NodeDatabase.standalone(database),
        recovery,
        Optional.empty());
  }

  private static DataNode member(
      Environment environment, StorageEngine storage, TopologyIdentity topology, IntSupplier port) {
    ServerOptions options = environment.options();
    Clock clock = environment.clock();
    BackgroundLoops loops = environment.loops();
    Log log = environment.log(LogComponent.REPLICATION);
    var clusterClock = new ClusterClock(clock);
    var applier = new ApplierReference();
    var names = new NodeNames(options.bindAddresses());
    RaftOptions raftOptions =
        RaftOptions.defaults(
            options.dbPath().resolve(RAFT_DIRECTORY), names.host(), options.raftPort());
    RaftNode raft = new RatisNode(raftOptions, applier, clusterClock, clock, loops, log);
    LocalDatabase database = LocalDatabase.open(storage, raft.log(), clock);
    database.catalog().oplog().initialLimits(oplogLimits(options));
    ReplicaSetMember member =
        ReplicaSetMember.of(
            new MemberSetup(
                options.replicaSet().orElseThrow(),
                topology.processId(),
                clock,
                clusterClock,
                storage,
                raft,
                leadershipHandler(database),
                () -> hasData(database),
                () -> names.host() + ":" + port.getAsInt(),
                topology::changed,
                new PooledNodeClient(NodeClientOptions.plain("replication"), clock, loops),
                loops,
                log));
    var observed = new ObservedApplier(new DatabaseApplier(storage, database), member.observer());
    var delayed =
        new DelayedApplier(
            new ArbiterApplier(observed, raft, storage), member::delaySeconds, clock);
    applier.applyTo(delayed);
    UnreplicatedStore unreplicated =
        UnreplicatedStore.open(
            storage.options(), clock, database, loops, environment.log(LogComponent.STORAGE));
    var membership = new Membership(raft, delayed, member, unreplicated);
    return new DataNode(
        environment,
        storage,
        raft.log(),
        NodeDatabase.member(database, unreplicated.database(), raft::hold),
        null,
        Optional.of(membership));
  }

  private static LeadershipHandler leadershipHandler(LocalDatabase database) {
    return new LeadershipHandler() {
      @Override
      public void begin(long term) {
        database.leadership().becomeLeader(term);
      }

      @Override
      public void end() {
        database.leadership().becomeFollower();
      }

      @Override
      public boolean awaitPublished(long timeoutNanos) throws InterruptedException {
        return database.leadership().awaitPublished(timeoutNanos);
      }
    };
  }

  private static OplogLimits oplogLimits(ServerOptions options) {
    if (options.oplogMegabytes() > 0) {
      return OplogLimits.ofMegabytes(options.oplogMegabytes());
    }
    try {
      return OplogLimits.forFreeSpace(Files.getFileStore(options.dbPath()).getUsableSpace());
    } catch (IOException e) {
      return OplogLimits.DEFAULT;
    }
  }

  private static boolean hasData(LocalDatabase database) {
    return database.catalog().all().stream()
        .anyMatch(collection -> !collection.namespace().database().equals("local"));
  }

  @Override
  public NodeRole kind() {
    return NodeRole.DATA_NODE;
  }

  @Override
  public Operations operations() {
    return database;
  }

  @Override
  public Transactions transactions() {
    return database.shared().transactions();
  }

  @Override
  public Definitions definitions() {
    return new NodeDefinitions(database);
  }

  @Override
  public Diagnostics diagnostics() {
    return new NodeDiagnostics(database);
  }

  @Override
  public PlanCaches planCaches() {
    return new NodePlanCaches(database);
  }

  @Override
  public NodeStore store() {
    return new StoreControl(database);
  }

  @Override
  public OplogControl oplog() {
    return new NodeOplog(database);
  }

  @Override
  public VirtualReads virtualReads() {
    return new NodeVirtualReads(database);
  }

  @Override
  public Optional<ReplicaSet> replicaSet() {
    return membership.map(Membership::member);
  }

  @Override
  public Optional<ReplicaSetControl> replicaSetControl() {
    return membership.map(Membership::member);
  }

  @Override
  public void connect(MessageMemory memory, FailPoints failPoints) {
    var validationLog = new ValidationLog(environment.log(LogComponent.STORAGE));
    var indexBuildLog = new IndexBuildLog(environment.log(LogComponent.INDEX), failPoints);
    for (LocalDatabase part : database.parts()) {
      part.storage().largeValues().admission(memory::admitValue);
      part.catalog().validationWarnings(validationLog::wouldFail);
      part.changes().indexBuildListener(indexBuildLog);
    }
  }

  @Override
  public List<BackgroundLoop> jobs() {
    LocalDatabase shared = database.shared();
    return shared.oplogTrimmer() == null
        ? List.of()
        : List.of(
            OplogMaintenance.of(
                    shared, environment.clock(), environment.log(LogComponent.REPLICATION))
                .loop(environment.loops()));
  }

  /** Takes part in the replica set, now that the others can reach this node. */
  @Override
  public void start() {
    membership.ifPresent(
        parts -> {
          parts.raft.start();
          parts.member.start();
        });
    recoveredChanges()
        .ifPresent(
            changes ->
                environment
                    .log(LogComponent.RECOVERY)
                    .info(RECOVERED_LOG_ID, "Recovered after a crash", "changes", changes));
    new StartupLog(
            environment.options(), environment.clock(), environment.log(LogComponent.CONTROL))
        .write(database.unreplicated());
  }

  /** Lets another member lead before this node goes. */
  @Override
  public void resign() {
    membership.ifPresent(parts -> parts.member.resign());
  }

  /** Closes all parts, also where one of them fails: a full disk, say. */
  @Override
  public void close() {
    if (recovery != null) {
      recovery.close();
    }
    try (storage;
        commitLog) {
      database.goOn();
      if (membership.isPresent()) {
        Membership parts = membership.get();
        try (parts.unreplicated;
            parts.raft;
            parts.applier;
            parts.member) {
          // They are closed in the reverse order.
        }
      }
    }
  }
}
