package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Leadership;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * What a member does by itself. One thread follows changes of roles and of the configuration, in
 * order; another one brings Raft's peers in line, which can take long; heartbeats and reports have
 * their own.
 */
final class Coordination implements AutoCloseable {
  private static final int TICK_MILLIS = 100;
  private static final Duration TELL_TIMEOUT = Duration.ofSeconds(5);
  private static final long RECONCILE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int FAILED_LOG_ID = 9_000_305;

  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Role role;
  private final OtherMembers others;
  private final HeartbeatAnswers answers;
  private final Elections elections;
  private final AppliedOpTime applied;
  private final ExecutorService coordinator =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("replica-set").factory());
  private final ExecutorService reconciling =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("replica-set-peers").factory());
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("replica-set-call-", 0).factory());
  private final Heartbeats heartbeats;
  private final PositionReports positions;
  private final BackgroundLoop reporting;
  private final BackgroundLoop ticking;
  private final Reconciler reconciler;
  private final SecretAgreement agreement;
  private final ElectionTimeouts electionTimeouts;

  /** Those that were members, by host, who have to be told so. */
  private final Map<String, Integer> departed = new ConcurrentHashMap<>();

  private final AtomicBoolean lookPending = new AtomicBoolean();
  private final AtomicBoolean reconcilePending = new AtomicBoolean();
  private volatile boolean reconciled;
  private volatile long nextReconcileNanos;

  /** The last term in which the database has taken up leadership. */
  private volatile long begunTerm = -1;

  private ReplicaSetConfig seen; // of the coordinating thread
  private long nextBeatNanos; // of the coordinating thread

  Coordination(
      MemberSetup setup,
      ConfigStore configs,
      Role role,
      OtherMembers others,
      HeartbeatAnswers answers,
      Elections elections,
      AppliedOpTime applied,
      Progress applications) {
    this.setup = setup;
    this.raft = setup.raft();
    this.configs = configs;
    this.role = role;
    this.others = others;
    this.answers = answers;
    this.elections = elections;
    this.heartbeats =
        new Heartbeats(
            setup,
            threads,
            setup.nodes(),
            others,
            config -> answers.question(config, false),
            this::news);
    this.positions =
        new PositionReports(role, applied, applications, setup.clock(), setup.nodes(), raft::group);
    this.reporting = setup.loops().loop("replica-set-position", positions::turn);
    this.ticking =
        setup
            .loops()
            .every(
                Duration.ofMillis(TICK_MILLIS),
                "replica-set-tick",
                () -> run(this::tick, OperationContext.internal(setup.clock())));
    this.reconciler = new Reconciler(raft, threads, setup.nodes(), others, setup.log());
    this.agreement = new SecretAgreement(raft, threads, setup.nodes(), others, setup.log());
    this.electionTimeouts =
        new ElectionTimeouts(setup, role, answers, action -> reconciling.execute(guarded(action)));
    this.applied = applied;
    raft.onLeadership(this::leadershipChanged);
    raft.successors(this::couldLead);
  }

  private boolean couldLead(String peerId) {
    return others.view(PeerIds.memberId(peerId)).state() == MemberState.SECONDARY;
  }

  /** For calls that do not last. */
  ExecutorService threads() {
    return threads;
  }

  void start() {
    seen = configs.current();
    nextBeatNanos = setup.clock().monotonicNanos();
    nextReconcileNanos = nextBeatNanos;
    setup.clusterClock().advanceTo(applied.opTime().timestamp());
    execute(this::followLeadership);
    ticking.start();
    reporting.start();
  }

  /** Cheap, for it is called with everything that is applied. */
  void afterApply() {
    if (configs.refresh() || role.state() == MemberState.STARTUP2) {
      look();
    }
  }

  /** One that was taken for dead has asked something: no need to wait until it is asked again. */
  void heard() {
    execute(this::beat);
  }

  private void look() {
    if (lookPending.compareAndSet(false, true)) {
      execute(
          () -> {
            lookPending.set(false);
            lookAtConfig();
          });
    }
  }

  /** The configuration was changed by a command here; returns when that has been seen to. */
  void configured(OperationContext operation) {
    run(this::lookAtConfig, operation);
  }

  /**
   * Runs something on the coordinating thread, and returns when it is done. The operation can end
   * the wait, not what runs.
   */
  void run(Runnable action, OperationContext operation) {
    Future<?> running;
    try {
      running = coordinator.submit(action);
    } catch (RejectedExecutionException e) {
      throw new CommandException(
          ErrorCode.SHUTDOWN_IN_PROGRESS, "The server is going to shut down");
    }
    await(running, operation);
  }

  static void await(Future<?> running, OperationContext operation) {
    operation.await(nanos -> isDone(running, nanos));
  }

  private static boolean isDone(Future<?> running, long nanos) throws InterruptedException {
    try {
      running.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Called by Raft, whose log takes no writes of a term before this returns. */
  private void leadershipChanged(Leadership leadership) {
    if (leadership.ready()) {
      setup.clusterClock().advanceTo(applied.opTime().timestamp());
      setup.leadershipHandler().begin(leadership.term());
      begunTerm = leadership.term();
    } else {
      setup.leadershipHandler().end();
    }
    execute(this::followLeadership);
  }

  /** A member is not shown as primary before its database takes writes. */
  private void followLeadership() {
    Leadership leadership = raft.leadership();
    if (leadership.ready() && leadership.term() != begunTerm) {
      return;
    }
    boolean led = role.primaryTerm() != null;
    elections.look(leadership);
    role.follow(leadership);
    if (!led && role.primaryTerm() != null) {
      reconciled = false;
      reconcileSoon();
      beat();
    }
  }

  private void lookAtConfig() {
    ReplicaSetConfig config = configs.current();
    if (config != null && config != seen) {
      configChanged(config);
    }
    role.refresh();
  }

  private void configChanged(ReplicaSetConfig config) {
    if (seen != null) {
      for (MemberConfig old : seen.members()) {
        if (config.member(old.id()).isEmpty()) {
          departed.put(old.host(), old.id());
        }
      }
    }
    config.members().forEach(member -> departed.remove(member.host()));
    seen = config;
    others.retain(ids(config));
    reconciled = false;
    reconcileSoon();
    beat();
  }

  private static Set<Integer> ids(ReplicaSetConfig config) {
    return config.members().stream().map(MemberConfig::id).collect(Collectors.toSet());
  }

  private void tick() {
    lookAtConfig();
    if (role.primaryTerm() == null && raft.leadership().ready()) {
      followLeadership();
    }
    electionTimeouts.look();
    elections.look(raft.leadership());
    ReplicaSetConfig config = seen;
    if (config == null || role.removedBy() != null) {
      return;
    }
    if (setup.clock().monotonicNanos() - nextBeatNanos >= 0) {
      beat();
    }
    if (!reconciled && setup.clock().monotonicNanos() - nextReconcileNanos >= 0) {
      reconcileSoon();
    }
  }

  private void beat() {
    ReplicaSetConfig config = seen;
    if (config != null) {
      nextBeatNanos =
          setup.clock().monotonicNanos()
              + TimeUnit.MILLISECONDS.toNanos(config.settings().heartbeatIntervalMillis());
      heartbeats.beat(config, raft.id().map(PeerIds::memberId).orElse(-1));
    }
  }

  /** An answer that tells something new. */
  private void news(MemberConfig member, Heartbeat.Response response) {
    if (response.config() != null) {
      answers.learn(ConfigReader.readStored(response.config()));
    }
    reconciled = false;
    reconcileSoon();
  }

  private void reconcileSoon() {
    if (role.primaryTerm() != null && reconcilePending.compareAndSet(false, true)) {
      try {
        reconciling.execute(guarded(this::reconcile));
      } catch (RejectedExecutionException e) {
        reconcilePending.set(false); // closing
      }
    }
  }

  private void reconcile() {
    reconcilePending.set(false);
    nextReconcileNanos = setup.clock().monotonicNanos() + RECONCILE_NANOS;
    ReplicaSetConfig config = configs.current();
    if (role.primaryTerm() == null || config == null) {
      return;
    }
    boolean done = reconciler.reconcile(config) & agreement.agree(config);
    if (configs.current() == config) {
      reconciled = done;
    }
    tellDeparted(config);
    execute(this::beat);
  }

  private void tellDeparted(ReplicaSetConfig config) {
    for (String host : Set.copyOf(departed.keySet())) {
      if (config.memberAt(host).isPresent()) {
        continue; // Back already: it has to join first, or it would take itself for a member.
      }
      try {
        Heartbeat.Request request = answers.question(config, true);
        setup
            .nodes()
            .run(HostAndPort.parse(host), NodeRequest.admin(request::append, TELL_TIMEOUT));
      } catch (CommandException e) {
        // It is down: it will ask when it is back, and be told then.
      }
      departed.remove(host);
    }
  }

  private void execute(Runnable action) {
    try {
      coordinator.execute(guarded(action));
    } catch (RejectedExecutionException e) {
      // Closing: the outcome is not needed any more.
    }
  }

  /** Nothing that happens once may end what has to go on. */
  private Runnable guarded(Runnable action) {
    return () -> {
      try {
        action.run();
      } catch (RuntimeException e) {
        setup.log().error(FAILED_LOG_ID, "Coordination of the replica set failed", e);
      } catch (Error e) {
        setup.loops().stopNode(e);
      }
    };
  }

  @Override
  public void close() {
    reporting.interrupt();
    coordinator.shutdownNow();
    ticking.interrupt();
    reconciling.shutdownNow();
    threads.shutdownNow();
  }
}
