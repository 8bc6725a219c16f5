package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.backup.NodeBackups;
import dev.wisent.database.definition.NodeDefinitions;
import dev.wisent.database.diagnostic.NodeDiagnostics;
import dev.wisent.database.diagnostic.NodeOplog;
import dev.wisent.database.diagnostic.NodePlanCaches;
import dev.wisent.database.diagnostic.NodeVirtualReads;
import dev.wisent.database.diagnostic.StoreControl;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.member.DelayedApplier;
import dev.wisent.replication.member.ReplicaSetMember;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.analysis.QueryAnalysis;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.ValidationLog;
import dev.wisent.server.command.diagnostic.DiagnosticTable;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.dispatch.NodeCommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.CrashRecovery;
import dev.wisent.storage.ReadOnlyLog;
import dev.wisent.storage.StorageEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What holds a node's data: alone, as a member of a replica set, or to look at what one has. */
public final class DataNode implements ServerRole {
  private static final int RECOVERED_LOG_ID = 9_000_105;
  private static final int BACKUPS_LOG_ID = 9_000_413;

  /** A full disk is to have room again soon. */
  private static final Duration BACKUP_CHECK = Duration.ofSeconds(1);

  private final Environment environment;
  private final StorageEngine storage;
  private final CommitLog commitLog;
  private final NodeDatabase database;
  private final Optional<Membership> membership;
  private final Optional<ReadOnlyMember> readOnly;
  private final NodeBackups backups;
  private NodeExtension extension = NodeExtension.NONE;

  /** Null before the commands are made. */
  private QueryAnalysis analysis;

  /** Null on a member, whose log is started again instead, and where nothing is written. */
  private final StoreRecovery recovery;

  /** What only a member of a replica set has. */
  record Membership(
      RaftNode raft,
      DelayedApplier applier,
      ReplicaSetMember member,
      UnreplicatedStore unreplicated) {}

  /** What the server gives to its role. */
  record Environment(
      ServerOptions options,
      Clock clock,
      RandomSource random,
      ServerLog log,
      BackgroundLoops loops,
      MemberConnections members) {
    Log log(LogComponent component) {
      return log.of(component);
    }
  }

  DataNode(
      Environment environment,
      StorageEngine storage,
      CommitLog commitLog,
      NodeDatabase database,
      StoreRecovery recovery,
      Optional<Membership> membership) {
    this(environment, storage, commitLog, database, recovery, membership, Optional.empty());
  }

  private DataNode(
      Environment environment,
      StorageEngine storage,
      CommitLog commitLog,
      NodeDatabase database,
      StoreRecovery recovery,
      Optional<Membership> membership,
      Optional<ReadOnlyMember> readOnly) {
    this.environment = environment;
    this.storage = storage;
    this.commitLog = commitLog;
    this.database = database;
    this.recovery = recovery;
    this.membership = membership;
    this.readOnly = readOnly;
    this.backups = NodeBackups.open(database, environment.clock(), this::isDiskFull);
  }

  /** A standalone that only reads what a member has. */
  static DataNode readOnly(Environment environment, ReadOnlyMember member) {
    return new DataNode(
        environment,
        member.storage(),
        new ReadOnlyLog(true),
        member.database(),
        null,
        Optional.empty(),
        Optional.of(member));
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

  void extend(NodeExtension by) {
    extension = by;
  }

  @Override
  public NodeRole kind() {
    return extension.kind();
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
  public Optional<StoreServices> stored() {
    return Optional.of(
        new StoreServices(
            definitions(),
            new NodeDiagnostics(database),
            new NodePlanCaches(database),
            new StoreControl(database),
            new NodeOplog(database),
            new NodeVirtualReads(database),
            backups,
            replicaSet(),
            membership.map(Membership::member)));
  }

  public Definitions definitions() {
    return new NodeDefinitions(database);
  }

  /** The set that this node was started for; empty for a standalone. */
  public Optional<ReplicaSet> replicaSet() {
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
  public List<CommandSpec> commands(ServerServices services) {
    analysis = QueryAnalysis.ofNode(services, extension != NodeExtension.NONE);
    var rows = new ArrayList<>(extension.commands(services));
    rows.addAll(analysis.rows());
    Map<String, ServerStatusCommand.Section> sections = extension.statusSections();
    if (!sections.isEmpty()) {
      rows.add(DiagnosticTable.serverStatus(new ServerStatusCommand(services, "wisent", sections)));
    }
    return rows;
  }

  @Override
  public CommandRunner runner(ServerServices services) {
    return analysis.around(new NodeCommandRunner(services, extension.interceptor()));
  }

  @Override
  public List<BackgroundLoop> jobs() {
    LocalDatabase shared = database.shared();
    var jobs = new ArrayList<>(extension.jobs());
    jobs.addAll(analysis.jobs());
    jobs.add(environment.loops().every(BACKUP_CHECK, "open-backups", this::endBackups));
    if (shared.oplogTrimmer() != null && readOnly.isEmpty()) {
      jobs.add(
          OplogMaintenance.of(
                  shared, environment.clock(), environment.log(LogComponent.REPLICATION))
              .loop(environment.loops()));
    }
    return jobs;
  }

  /** A failure alone says less: a store may not have been opened again since there was space. */
  private boolean isDiskFull() {
    boolean failed =
        storage.failure().isPresent()
            || database.unreplicated().storage().failure().isPresent()
            || membership.filter(parts -> parts.raft.fault().isPresent()).isPresent();
    return failed && !storage.hasRoom();
  }

  private void endBackups() {
    int givenUp = backups.giveUpIfFull();
    if (givenUp > 0) {
      environment
          .log(LogComponent.STORAGE)
          .warn(
              BACKUPS_LOG_ID,
              "The disk is full: open backups are given up, which keep files there",
              "backups",
              givenUp);
    }
    backups.discardIdle();
  }

  /** The node's collections, with and without the log. */
  public NodeDatabase database() {
    return database;
  }

  public ServerOptions options() {
    return environment.options();
  }

  public Clock clock() {
    return environment.clock();
  }

  public RandomSource random() {
    return environment.random();
  }

  public ServerLog log() {
    return environment.log();
  }

  public BackgroundLoops loops() {
    return environment.loops();
  }

  /** How other nodes are reached. */
  public MemberConnections members() {
    return environment.members();
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
    if (readOnly.isPresent()) {
      readOnly.get().warn(environment);
    } else {
      new StartupLog(
              environment.options(), environment.clock(), environment.log(LogComponent.CONTROL))
          .write(database.unreplicated());
    }
    extension.start();
  }

  /** Lets another member lead before this node goes. */
  @Override
  public void resign() {
    membership.ifPresent(parts -> parts.member.resign());
  }

  /** Closes all parts, also where one of them fails: a full disk, say. */
  @Override
  public void close() {
    extension.close();
    if (recovery != null) {
      recovery.close();
    }
    try (storage;
        commitLog) {
      database.goOn();
      backups.discardAll();
      readOnly.ifPresent(ReadOnlyMember::close);
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
