package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.replication.ClusterClock;
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
import dev.wisent.server.TopologyIdentity;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;

/** What holds a node's data: alone, or as a member of a replica set. */
final class DataNode implements AutoCloseable {
  private static final String RAFT_DIRECTORY = "raft";

  private final StorageEngine storage;
  private final CommitLog commitLog;
  private final NodeDatabase database;
  private final Optional<Membership> membership;

  /** Null on a member: its log is started again instead. */
  private final StoreRecovery recovery;

  /** What only a member of a replica set has. */
  private record Membership(
      RaftNode raft, DelayedApplier applier, ReplicaSetMember member, UnreplicatedStore own) {}

  private DataNode(
      StorageEngine storage,
      CommitLog commitLog,
      NodeDatabase database,
      StoreRecovery recovery,
      Optional<Membership> membership) {
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
    StorageEngine storage = StorageEngine.open(storageOptions);
    try {
      return replicated
          ? member(options, storage, topology, clock, serverLog, loops, port)
          : standalone(storage, clock, loops, serverLog.of(LogComponent.STORAGE));
    } catch (RuntimeException | Error e) {
      storage.close();
      throw e;
    }
  }

  /**
   * How many changes the store's own log brought back after a crash. Empty if there was none, and
   * on a member, which has the set's log instead.
   */
  OptionalLong recoveredChanges() {
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

  private static DataNode standalone(
      StorageEngine storage, Clock clock, BackgroundLoops loops, Log log) {
    LocalCommitLog commits = LocalCommitLog.start(storage, loops);
    LocalDatabase database = LocalDatabase.open(storage, commits, clock);
    UnreplicatedStore.giveToStandalone(database, clock, loops, log);
    var recovery = StoreRecovery.start(storage, commits, database, loops, log);
    return new DataNode(
        storage, commits, NodeDatabase.standalone(database), recovery, Optional.empty());
  }

  private static DataNode member(
      ServerOptions options,
      StorageEngine storage,
      TopologyIdentity topology,
      Clock clock,
      ServerLog serverLog,
      BackgroundLoops loops,
      IntSupplier port) {
    Log log = serverLog.of(LogComponent.REPLICATION);
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
    UnreplicatedStore own =
        UnreplicatedStore.open(
            storage.options(), clock, database, loops, serverLog.of(LogComponent.STORAGE));
    var membership = new Membership(raft, delayed, member, own);
    return new DataNode(
        storage,
        raft.log(),
        NodeDatabase.member(database, own.database(), raft::hold),
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

  NodeDatabase database() {
    return database;
  }

  Optional<ReplicaSetMember> member() {
    return membership.map(Membership::member);
  }

  /** Takes part in the replica set, now that the others can reach this node. */
  void start() {
    membership.ifPresent(
        parts -> {
          parts.raft.start();
          parts.member.start();
        });
  }

  /** Lets another member lead before this node goes. */
  void resign() {
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
        try (parts.own;
            parts.raft;
            parts.applier;
            parts.member) {
          // They are closed in the reverse order.
        }
      }
    }
  }
}
