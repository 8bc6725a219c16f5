package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.config.ConfigChange;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ConfigRules;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.config.SetSettings;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/** {@code replSetInitiate} and {@code replSetReconfig}, one at a time. */
final class ConfigCoordinator {
  private static final long LEADERSHIP_TIMEOUT_MILLIS = 30_000;
  private static final int FORCED_VERSION_STEP_MIN = 10_000;
  private static final int FORCED_VERSION_STEP_MAX = 110_000;

  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Role role;
  private final Progress progress;
  private final SelfSearch selfSearch;
  private final QuorumCheck quorum;
  private final BeginCheck beginning;
  private final ReentrantLock changing = new ReentrantLock();

  ConfigCoordinator(
      MemberSetup setup,
      ConfigStore configs,
      Role role,
      Progress progress,
      SelfSearch selfSearch,
      QuorumCheck quorum,
      BeginCheck beginning) {
    this.setup = setup;
    this.raft = setup.raft();
    this.configs = configs;
    this.role = role;
    this.progress = progress;
    this.selfSearch = selfSearch;
    this.quorum = quorum;
    this.beginning = beginning;
  }

  void initiate(RawDocument document, boolean force, OperationContext operation) {
    exclusively(() -> initiateAlone(document, force, operation));
  }

  void reconfigure(RawDocument document, boolean force, OperationContext operation) {
    exclusively(() -> reconfigureAlone(document, force, operation));
  }

  private void exclusively(Runnable change) {
    if (!changing.tryLock()) {
      throw new CommandException(
          ErrorCode.CONFIGURATION_IN_PROGRESS,
          "Cannot change the configuration while another change of it is in progress");
    }
    try {
      change.run();
    } finally {
      changing.unlock();
    }
  }

  private void initiateAlone(RawDocument document, boolean force, OperationContext operation) {
    requireUninitiated();
    ReplicaSetConfig proposed = document.isEmpty() ? ofThisNode() : ConfigReader.read(document);
    ConfigRules.check(proposed, setup.setName());
    if (proposed.version() != 1) {
      throw invalid(
          "Configuration used to initiate a replica set must have version 1, but found "
              + proposed.version());
    }
    MemberConfig self = selfSearch.find(proposed);
    checkElectable(self, proposed, ErrorCode.INVALID_REPLICA_SET_CONFIG);
    quorum.forInitiation(proposed, self.id(), question(proposed, self, true));
    if (!force && raft.group().isEmpty()) {
      beginning.check();
    }
    // A crash after this leaves a group without a configuration: initiating again goes on there.
    UUID group = raft.group().orElseGet(() -> begin(proposed, self));
    if (PeerIds.memberId(raft.id().orElseThrow()) != self.id()) {
      throw alreadyInitialized();
    }
    long term = awaitLeadership(operation);
    requireUninitiated();
    commit(
        proposed.in(
            group,
            term,
            1,
            proposed
                .settings()
                .withReplicaSetId(new ObjectIds(setup.clock(), setup.random()).get())),
        operation);
  }

  /**
   * A member of a set that has not told it its configuration yet, as one that catches up, is in it.
   */
  private void requireUninitiated() {
    boolean joined = raft.group().isPresent() && !raft.hasBegun();
    if (configs.current() != null || role.removedBy() != null || joined) {
      throw alreadyInitialized();
    }
  }

  private UUID begin(ReplicaSetConfig config, MemberConfig self) {
    UUID group = setup.random().nextUuid();
    raft.electionTimeout(config.settings().electionTimeout());
    String peerId = PeerIds.create(self, setup.random());
    raft.begin(group, PeerPlan.peer(config, self, peerId, raftPort(raft)));
    return group;
  }

  static int raftPort(RaftNode raft) {
    String address = raft.address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private ReplicaSetConfig ofThisNode() {
    return new ReplicaSetConfig(
        setup.setName(),
        1,
        ReplicaSetConfig.NO_TERM,
        List.of(MemberConfig.of(0, setup.defaultHost().get())),
        SetSettings.DEFAULTS,
        null);
  }

  private void reconfigureAlone(RawDocument document, boolean force, OperationContext operation) {
    ReplicaSetConfig before = configs.current();
    if (before == null) {
      throw new CommandException(
          ErrorCode.NOT_YET_INITIALIZED,
          "Node not yet initialized; use the replSetInitiate command");
    }
    if (!force && role.primaryTerm() == null) {
      throw new CommandException(
          ErrorCode.NOT_WRITABLE_PRIMARY,
          "Safe reconfig is only allowed on a writable PRIMARY. Current state "
              + role.state().name());
    }
    ReplicaSetConfig proposed = ConfigReader.read(document);
    MemberConfig self = checkProposed(before, proposed, force);
    long term = force ? ReplicaSetConfig.NO_TERM : raft.leadership().term();
    ReplicaSetConfig next =
        proposed.in(
            before.logGroup(),
            term,
            force ? forcedVersion(before, proposed) : proposed.version(),
            proposed.settings().withReplicaSetId(before.settings().replicaSetId()));
    if (force) {
      if (role.primaryTerm() == null) {
        takeOver(before, next, operation);
      }
    } else {
      quorum.forReconfiguration(next, self.id(), question(before, self, false));
    }
    commit(next.withMembers(markNew(before, next.members())), operation);
  }

  /** Members that come to a set with data count for majorities when they have that data. */
  private static List<MemberConfig> markNew(ReplicaSetConfig before, List<MemberConfig> members) {
    return members.stream()
        .map(
            member ->
                member.withNewlyAdded(
                    before.member(member.id()).map(MemberConfig::newlyAdded).orElse(true)))
        .toList();
  }

  private MemberConfig checkProposed(
      ReplicaSetConfig before, ReplicaSetConfig proposed, boolean force) {
    try {
      ConfigRules.check(proposed, setup.setName());
    } catch (CommandException e) {
      throw proposed.name().equals(setup.setName()) ? incompatible(e.getMessage()) : e;
    }
    ConfigChange.check(before, proposed, force);
    int selfId = PeerIds.memberId(raft.id().orElseThrow());
    MemberConfig self =
        proposed
            .member(selfId)
            .orElseThrow(
                () ->
                    incompatible(
                        "No host described in new configuration with {version: "
                            + proposed.version()
                            + ", term: "
                            + raft.leadership().term()
                            + "} for replica set "
                            + proposed.name()
                            + " maps to this node"));
    if (!force) {
      checkElectable(self, proposed, ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE);
    }
    return self;
  }

  /** So large a step that no configuration that the lost members may have made is newer. */
  private int forcedVersion(ReplicaSetConfig before, ReplicaSetConfig proposed) {
    int newest = Math.max(before.version(), proposed.version());
    return newest + setup.random().nextInt(FORCED_VERSION_STEP_MIN, FORCED_VERSION_STEP_MAX);
  }

  /** The survivors go on without those that are gone, and this one leads them. */
  private void takeOver(
      ReplicaSetConfig before, ReplicaSetConfig next, OperationContext operation) {
    if (role.primary() != null) {
      throw new CommandException(
          ErrorCode.NOT_WRITABLE_PRIMARY,
          "There is a primary, " + role.primary() + ": send the configuration to that one");
    }
    List<Peer> present = raft.peers();
    var survivors = new ArrayList<Peer>();
    for (MemberConfig member : next.members()) {
      if (before.member(member.id()).isPresent()) {
        PeerIds.find(present, member.id())
            .ifPresent(peer -> survivors.add(PeerPlan.under(next, member, peer)));
      }
    }
    raft.forcePeers(survivors);
    awaitLeadership(operation);
  }

  /** Makes a configuration the set's; returns when it is. */
  private void commit(ReplicaSetConfig config, OperationContext operation) {
    OperationState.awaitApplied(raft.log().submit(ConfigStore.mutation(config)), operation);
  }

  /** Waits until this member is primary; returns in which term. */
  private long awaitLeadership(OperationContext operation) {
    long deadline = setup.clock().monotonicNanos() + LEADERSHIP_TIMEOUT_MILLIS * 1_000_000;
    try {
      while (true) {
        long seen = progress.count();
        Role.PrimaryTerm primaryTerm = role.primaryTerm();
        if (primaryTerm != null) {
          return primaryTerm.term();
        }
        operation.checkNow();
        if (setup.clock().monotonicNanos() > deadline) {
          throw new CommandException(
              ErrorCode.EXCEEDED_TIME_LIMIT, "this member did not become primary in time");
        }
        progress.await(seen, 100);
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  private Heartbeat.Request question(
      ReplicaSetConfig config, MemberConfig self, boolean checkEmpty) {
    return new Heartbeat.Request(
        setup.setName(),
        checkEmpty ? 0 : config.version(),
        config.term(),
        self.host(),
        self.id(),
        raft.leadership().term(),
        config.logGroup(),
        checkEmpty,
        null);
  }

  private static void checkElectable(MemberConfig self, ReplicaSetConfig config, ErrorCode code) {
    if (!self.isElectable()) {
      throw new CommandException(
          code,
          "This node, "
              + self.host()
              + ", with _id "
              + self.id()
              + " is not electable under the new configuration with {version: "
              + config.version()
              + ", term: "
              + config.term()
              + "} for replica set "
              + config.name());
    }
  }

  private static CommandException alreadyInitialized() {
    return new CommandException(ErrorCode.ALREADY_INITIALIZED, "already initialized");
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_REPLICA_SET_CONFIG, message);
  }

  private static CommandException incompatible(String message) {
    return new CommandException(ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE, message);
  }
}
