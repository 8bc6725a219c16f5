package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
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
import dev.wisent.replication.member.MemberData;
import dev.wisent.replication.member.MemberSetup;
import dev.wisent.replication.member.ObservedApplier;
import dev.wisent.replication.member.ReplicaSetMember;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.replication.raft.RaftOptions;
import dev.wisent.replication.raft.RatisNode;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Opens data directories and puts nodes together over them. */
public final class DataNodeAssembly {
  private static final String RAFT_DIRECTORY = "raft";

  private DataNodeAssembly() {}

  /** Opens data nodes that do something besides. */
  public static ServerRole.Opener extendedBy(NodeExtension.Opener opener) {
    return (options, topology, clock, random, log, loops, port, members) -> {
      DataNode node = open(options, topology, clock, random, log, loops, port, members);
      try {
        node.extend(opener.open(node));
      } catch (RuntimeException | Error e) {
        node.close();
        throw e;
      }
      return node;
    };
  }

  /**
   * Opens the data directory.
   *
   * @param port where clients reach this node, once it listens
   * @param members how other nodes are reached
   */
  public static DataNode open(
      ServerOptions options,
      TopologyIdentity topology,
      Clock clock,
      RandomSource random,
      ServerLog serverLog,
      BackgroundLoops loops,
      IntSupplier port,
      MemberConnections members) {
    boolean replicated = options.replicaSet().isPresent();
    StorageOptions storageOptions =
        StorageOptions.defaults(options.dbPath())
            .withJournalIntervalMillis(options.journalIntervalMillis())
            .withCacheBytes(
                options.cacheBytes() > 0 ? options.cacheBytes() : CacheSize.ofMachine());
    if (replicated) {
      if (!isMembersData(options.dbPath())) {
        UnreplicatedStore.takeFromStandalone(
            storageOptions, clock, random, loops, serverLog.of(LogComponent.STORAGE));
      }
      storageOptions = storageOptions.withReplicatedLog();
    }
    var environment = new DataNode.Environment(options, clock, random, serverLog, loops, members);
    if (!replicated && isMembersData(options.dbPath())) {
      return readOnly(environment, storageOptions);
    }
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

  /** A standalone would write beside the log that the others have. */
  private static DataNode readOnly(DataNode.Environment environment, StorageOptions options) {
    StorageEngine storage = StorageEngine.openReadOnly(options.withReplicatedLog());
    try {
      return DataNode.readOnly(environment, ReadOnlyMember.open(environment, storage));
    } catch (RuntimeException | Error e) {
      storage.close();
      throw e;
    }
  }

  private static boolean isMembersData(Path dbPath) {
    return Files.exists(dbPath.resolve(RAFT_DIRECTORY).resolve("group"));
  }

  private static DataNode standalone(DataNode.Environment environment, StorageEngine storage) {
    Clock clock = environment.clock();
    RandomSource random = environment.random();
    BackgroundLoops loops = environment.loops();
    Log log = environment.log(LogComponent.STORAGE);
    LocalCommitLog commits = LocalCommitLog.start(storage, loops);
    MemberData.forget(storage, commits);
    LocalDatabase database = LocalDatabase.open(storage, commits, clock, random);
    UnreplicatedStore.giveToStandalone(database, clock, random, loops, log);
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
      DataNode.Environment environment,
      StorageEngine storage,
      TopologyIdentity topology,
      IntSupplier port) {
    ServerOptions options = environment.options();
    Clock clock = environment.clock();
    RandomSource random = environment.random();
    BackgroundLoops loops = environment.loops();
    Log log = environment.log(LogComponent.REPLICATION);
    var clusterClock = new ClusterClock(clock);
    var applier = new ApplierReference();
    var names = new NodeNames(options.bindAddresses());
    RaftOptions raftOptions =
        RaftOptions.defaults(
                options.dbPath().resolve(RAFT_DIRECTORY), names.host(), options.raftPort())
            .withKeys(MemberLogKeys.of(options.access()))
            .withInProcess(options.inProcessLog());
    RaftNode raft = new RatisNode(raftOptions, applier, clusterClock, clock, random, loops, log);
    LocalDatabase database = LocalDatabase.open(storage, raft.log(), clock, random);
    database.catalog().oplog().initialLimits(oplogLimits(options));
    ReplicaSetMember member =
        ReplicaSetMember.of(
            new MemberSetup(
                options.replicaSet().orElseThrow(),
                topology.processId(),
                clock,
                random,
                clusterClock,
                storage,
                raft,
                leadershipHandler(database),
                () -> hasData(database),
                () -> MemberData.lacksLog(storage),
                () -> names.host() + ":" + port.getAsInt(),
                topology::changed,
                new PooledNodeClient(environment.members().options("replication"), clock, loops),
                loops,
                log));
    var observed = new ObservedApplier(new DatabaseApplier(storage, database), member.observer());
    var delayed =
        new DelayedApplier(
            new ArbiterApplier(observed, raft, storage), member::delaySeconds, clock);
    applier.applyTo(delayed);
    UnreplicatedStore unreplicated =
        UnreplicatedStore.open(
            storage.options(),
            clock,
            random,
            database,
            loops,
            environment.log(LogComponent.STORAGE));
    var membership = new DataNode.Membership(raft, delayed, member, unreplicated);
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
}
