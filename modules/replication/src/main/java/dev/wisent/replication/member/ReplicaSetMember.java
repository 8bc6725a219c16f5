package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.ElectionReport;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.replication.SetStatus;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.AgreedPeers;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.CommitFuture;
import dev.wisent.wire.client.NodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** This node as a member of its replica set: what commands ask, and what is done to it. */
public final class ReplicaSetMember implements ReplicaSet, ReplicaSetControl, AutoCloseable {
  private static final long LOOK_MILLIS = 1000;
  private static final long WAITED_LATELY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);

  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Role role;
  private final OtherMembers others;
  private final AppliedOpTime applied;
  private final Progress progress = new Progress();
  private final Progress applications = new Progress();
  private final Coordination coordination;
  private final ConfigCoordinator configuring;
  private final LeadershipTransfer transfer;
  private final MemberJoin joining;
  private final HeartbeatAnswers answers;
  private final StatusReport report;
  private final Elections elections;

  /** When a write began to wait for other members. */
  private volatile long lastWaitNanos;

  private ReplicaSetMember(MemberSetup setup) {
    this.setup = setup;
    this.raft = setup.raft();
    this.lastWaitNanos = setup.clock().monotonicNanos() - WAITED_LATELY_NANOS;
    this.configs = new ConfigStore(setup.storage(), setup.raft());
    this.others = new OtherMembers(setup.clock(), progress);
    this.applied = new AppliedOpTime(setup.storage(), setup.leadershipHandler()::awaitPublished);
    this.role = new Role(setup, configs, progress);
    this.answers = new HeartbeatAnswers(setup, configs, role, others, applied);
    this.elections = new Elections(setup, configs, others, applied);
    this.joining = new MemberJoin(setup, configs, role);
    this.report = new StatusReport(setup, configs, role, others, applied, elections, joining);
    this.coordination =
        new Coordination(setup, configs, role, others, answers, elections, applied, applications);
    this.configuring =
        new ConfigCoordinator(
            setup,
            configs,
            role,
            progress,
            new SelfSearch(setup.processId(), setup.nodes()),
            new QuorumCheck(coordination.threads(), setup.nodes(), setup.raft()),
            new BeginCheck(setup, configs, coordination.threads()));
    this.transfer = new LeadershipTransfer(setup, role, others, configs, applied, progress);
  }

  /**
   * Makes the member of a node whose Raft is about to be started.
   *
   * @throws CommandException InconsistentReplicaSetNames if the data belongs to another set
   */
  public static ReplicaSetMember of(MemberSetup setup) {
    var member = new ReplicaSetMember(setup);
    ReplicaSetConfig config = member.configs.stored();
    if (config != null && !config.name().equals(setup.setName())) {
      member.close();
      throw new CommandException(
          ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
          "the data directory belongs to the replica set "
              + config.name()
              + ", and not to "
              + setup.setName());
    }
    if (config != null) {
      setup.raft().electionTimeout(config.settings().electionTimeout());
    }
    return member;
  }

  /** To be called when others can reach this node. */
  public void start() {
    coordination.start();
  }

  /** Follows what is applied to the store of this member. */
  public ApplyObserver observer() {
    return new ApplyObserver() {
      @Override
      public void applying(List<Applied> mutations) {
        applied.applying(mutations);
      }

      @Override
      public void applied() {
        applied.applied();
        applications.made();
        progress.made();
        coordination.afterApply();
      }

      @Override
      public void unsure() {
        applied.unsure();
      }
    };
  }

  /** How long this member holds back what it applies. */
  public long delaySeconds() {
    return answers.delaySeconds();
  }

  @Override
  public String name() {
    return setup.setName();
  }

  @Override
  public Optional<ReplicaSetConfig> config() {
    return role.state() == MemberState.REMOVED
        ? Optional.empty()
        : Optional.ofNullable(configs.current());
  }

  @Override
  public MemberState state() {
    return role.state();
  }

  @Override
  public void awaitStateShown() {
    role.refresh();
  }

  @Override
  public String me() {
    return role.self().map(MemberConfig::host).orElse(null);
  }

  @Override
  public String primary() {
    return role.primary();
  }

  @Override
  public long term() {
    return raft.leadership().term();
  }

  @Override
  public ClusterClock clock() {
    return setup.clusterClock();
  }

  @Override
  public OpTime lastApplied() {
    return applied.opTime();
  }

  @Override
  public long lastAppliedWallMillis() {
    return applied.wallMillis();
  }

  @Override
  public Set<Integer> logVoters() {
    AgreedPeers agreed = raft.agreedPeers();
    return agreed.changing()
        ? Set.of()
        : agreed.peers().stream()
            .filter(peer -> peer.role() == Peer.Role.VOTER)
            .map(peer -> PeerIds.memberId(peer.id()))
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<MemberPosition> positions() {
    ReplicaSetConfig config = configs.current();
    if (config == null) {
      return List.of();
    }
    int selfId = raft.id().map(PeerIds::memberId).orElse(-1);
    var positions = new ArrayList<MemberPosition>();
    for (MemberConfig member : config.members()) {
      OpTime position =
          member.id() == selfId ? applied.opTime() : others.view(member.id()).applied();
      positions.add(new MemberPosition(member.id(), position));
    }
    return positions;
  }

  @Override
  public boolean awaitProgress(long seen, long timeoutMillis) throws InterruptedException {
    lastWaitNanos = setup.clock().monotonicNanos();
    return progress.await(seen, timeoutMillis);
  }

  @Override
  public long progress() {
    return progress.count();
  }

  @Override
  public void checkWritable() {
    if (role.state() != MemberState.PRIMARY) {
      throw role.notPrimary();
    }
  }

  @Override
  public void awaitApplied(long timestamp, OperationContext operation) {
    try {
      while (true) {
        long seen = applications.count();
        if (Long.compareUnsigned(applied.published(operation).timestamp(), timestamp) >= 0) {
          return;
        }
        operation.checkNow();
        applications.await(seen, operation.millisLeft(LOOK_MILLIS));
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  @Override
  public void confirmPrimary(OperationContext operation) {
    checkWritable();
    CommitFuture proof = raft.confirmLeadership();
    long deadline = setup.clock().monotonicNanos() + CONFIRM_TIMEOUT.toNanos();
    operation.await(
        nanos -> {
          if (setup.clock().monotonicNanos() - deadline > 0) {
            throw new CommandException(
                ErrorCode.EXCEEDED_TIME_LIMIT, "It took too long to confirm that this node leads");
          }
          return proof.awaitApplied(nanos);
        });
  }

  @Override
  public void initiate(RawDocument config, boolean force, OperationContext operation) {
    configuring.initiate(config, force, operation);
    coordination.configured(operation);
  }

  @Override
  public void reconfigure(RawDocument config, boolean force, OperationContext operation) {
    configuring.reconfigure(config, force, operation);
    coordination.configured(operation);
  }

  @Override
  public void stepDown(
      Duration standBack, Duration catchUp, boolean force, OperationContext operation) {
    elections.stepDown();
    transfer.stepDown(standBack, catchUp, force, operation);
  }

  @Override
  public void stepUp(OperationContext operation) {
    elections.stepUp();
    transfer.stepUp(operation);
  }

  @Override
  public void handOver(int memberId) {
    transfer.handOver(memberId);
  }

  @Override
  public void freeze(Duration time) {
    requireNotPrimary("cannot freeze node when primary or running for election. state: Primary");
    raft.freeze(time);
  }

  @Override
  public void maintenance(boolean on, OperationContext operation) {
    requireNotPrimary("primaries can't modify maintenance mode");
    coordination.run(
        () -> {
          int count = role.maintenance() + (on ? 1 : -1);
          if (count < 0) {
            throw new CommandException(
                ErrorCode.OPERATION_FAILED, "already out of maintenance mode");
          }
          role.maintenance(count);
        },
        operation);
  }

  @Override
  public String syncFrom(String host) {
    requireNotPrimary("primaries don't sync");
    ReplicaSetConfig config =
        config()
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.NOT_YET_INITIALIZED, "no replset config has been received"));
    if (config.memberAt(host).isEmpty()) {
      throw new CommandException(
          ErrorCode.NODE_NOT_FOUND, "Could not find member \"" + host + "\" in replica set");
    }
    if (!host.equals(role.primary())) {
      throw new CommandException(
          ErrorCode.INVALID_SYNC_SOURCE,
          "members get the log from the primary, and " + host + " is not the primary");
    }
    return report.syncSource();
  }

  private void requireNotPrimary(String message) {
    if (role.primaryTerm() != null) {
      throw new CommandException(ErrorCode.NOT_SECONDARY, message);
    }
  }

  @Override
  public ElectionReport elections() {
    return elections.report();
  }

  @Override
  public SetStatus status() {
    return report.status();
  }

  @Override
  public Heartbeat.Response heartbeat(Heartbeat.Request request) {
    Heartbeat.Response answer = answers.answer(request);
    if (request.fromId() >= 0 && !others.view(request.fromId()).isUp()) {
      coordination.heard();
    }
    if (request.config() != null) {
      answers.learn(ConfigReader.readStored(request.config()));
    }
    return answer;
  }

  @Override
  public JoinRequest.Response join(JoinRequest request) {
    return joining.join(request);
  }

  @Override
  public boolean updatePosition(RawDocument body) {
    MemberNames.check(raft.group(), Heartbeat.uuid(body, "logGroup"));
    PositionReports.read(body, others);
    return setup.clock().monotonicNanos() - lastWaitNanos < WAITED_LATELY_NANOS;
  }

  @Override
  public NodeClient nodes() {
    return setup.nodes();
  }

  /** Lets a member that could lead do so, because this node is about to go. */
  public void resign() {
    transfer.resign();
  }

  /** Before Raft is closed: no member is asked or told anything any more. */
  @Override
  public void close() {
    setup.nodes().close();
    coordination.close();
  }
}
