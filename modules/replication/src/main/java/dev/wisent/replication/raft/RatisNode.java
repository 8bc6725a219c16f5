package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.ratis.conf.RaftProperties;

/** A node of a replicated log on Apache Ratis. */
public final class RatisNode implements RaftNode {
  private final RaftOptions options;
  private final LogApplier applier;
  private final Log log;
  private final RaftFiles files;
  private final LogPort port; // guarded by this
  private final RaftProperties properties;
  private final RaftCommitLog commits;
  private final Scheduler scheduler;
  private final LogAccess access;
  private final PriorityTakeover takeover;
  private final LeadershipWatch watch;
  private final LogKeeper keeper;
  private final LogFaults faults;
  private final SyncProgress sync;
  private final Seed seed;
  private final GroupChange change;
  private final ApplyHold hold = new ApplyHold();
  private final SessionSource sessions;
  private final StateTransfer transfer;

  /** Null while it belongs to no group. Changed with this held. */
  private volatile RatisSession session;

  /** What the log is applied to; null before there was one. Changed with this held. */
  private volatile LogStateMachine machine;

  private volatile Optional<Membership> membership; // as in the file; changed with this held
  private volatile Duration electionTimeout; // changed with this held
  private boolean started; // guarded by this
  private boolean closed; // guarded by this

  public RatisNode(
      RaftOptions options,
      LogApplier applier,
      ClusterClock clusterClock,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops,
      Log log) {
    this.options = options;
    this.applier = applier;
    this.log = log;
    this.files = new RaftFiles(options.directory());
    this.membership = files.group().read();
    this.seed = Seed.of(files.seed(), membership.isPresent(), log);
    this.port = LogPort.of(options, files.port(), random, log);
    this.access = new LogAccess(files.secret(), options.keys(), options.inProcess(), log);
    this.change = new GroupChange(files, applier, access, seed, random, log);
    this.scheduler = loops.scheduler();
    this.properties = RatisSettings.of(options, files.log(), port.number());
    this.commits =
        new RaftCommitLog(
            options.entriesInFlight(), RatisSettings.ENTRY_BYTES_MAX, clusterClock, clock, loops);
    var checkpoints = new CheckpointServer(files.served(), applier, clock, scheduler);
    this.electionTimeout = options.electionTimeoutMax();
    this.takeover = new PriorityTakeover(clock, scheduler, () -> electionTimeout, log);
    this.faults = new LogFaults(clock);
    var server = new LeadershipWatch.Server(() -> id().isPresent(), faults::isFull, this::restart);
    this.watch = new LeadershipWatch(() -> session, server, commits, takeover, clock, loops, log);
    this.sync = new SyncProgress(clock);
    this.sessions =
        new SessionSource(
            files, properties, applier, commits, clusterClock, access, hold, seed, scheduler, log);
    this.transfer = new StateTransfer(sessions, () -> session, checkpoints, sync);
    this.keeper = new LogKeeper(options.keptLogBytes(), checkpoints, loops, log);
  }

  @Override
  public synchronized void start() {
    started = true;
    watch.start();
    keeper.start();
    try {
      membership.ifPresent(this::open);
    } catch (IllegalStateException e) {
      // On a full disk the node starts all the same; the watch starts the log when there is space.
      if (!faults.isFull()) {
        throw e;
      }
      faults.awaitRoom(log);
    }
  }

  @Override
  public void electionTimeout(Duration max) {
    Duration wanted = RatisSettings.electionTimeout(max);
    if (wanted.equals(electionTimeout)) {
      return;
    }
    RatisSession current = session;
    if (current != null && current.division().getInfo().isLeader()) {
      current.handOn(electionTimeout);
    }
    synchronized (this) {
      electionTimeout = wanted;
      RatisSettings.elections(properties, wanted.dividedBy(2), wanted);
      restart(session);
    }
  }

  @Override
  public String address() {
    return options.host() + ":" + port.number();
  }

  @Override
  public Optional<String> process() {
    return options.inProcess().map(InProcessPeers::id);
  }

  @Override
  public Optional<UUID> group() {
    return membership.map(Membership::group);
  }

  @Override
  public Optional<Peer> self() {
    return membership.map(Membership::self);
  }

  @Override
  public boolean hasBegun() {
    return membership.filter(Membership::first).isPresent();
  }

  @Override
  public void begin(UUID group, Peer self) {
    enter(new Membership(group, true, self), LogSecret.create(true), change::begin);
  }

  @Override
  public void join(UUID group, Peer self, LogSecret secret) {
    enter(new Membership(group, false, self), secret, change::join);
  }

  @Override
  public void joinWithData(UUID group, Peer self, LogSecret secret) {
    enter(new Membership(group, false, self), secret, change::joinWithData);
  }

  @Override
  public boolean isCatchingUp() {
    return seed.isPresent();
  }

  @Override
  public Optional<LogSecret> secret() {
    return membership.isEmpty() ? Optional.empty() : access.secret();
  }

  @Override
  public synchronized void keep(LogSecret secret) {
    var unused = membership.orElseThrow(RatisNode::noGroup);
    if (access.keep(secret)) {
      restart(session);
    }
  }

  private synchronized void enter(
      Membership entered, LogSecret secret, BiConsumer<Membership, LogSecret> how) {
    if (membership.isPresent()) {
      throw new CommandException(
          ErrorCode.ALREADY_INITIALIZED, "This node belongs to a replicated log already");
    }
    how.accept(entered, secret);
    membership = Optional.of(entered);
    open(entered);
  }

  private void open(Membership entered) {
    var events = new SessionEvents(watch, keeper, faults, transfer);
    try {
      machine = sessions.machine(entered, events);
      session = sessions.session(entered, machine, watch::standsBack);
      keeper.attach(machine, session);
      port.release();
      session.start();
    } catch (IOException | RuntimeException e) {
      shut();
      throw faults.cannotStart(e);
    }
  }

  private void shut() {
    RatisSession current = session;
    if (current != null) {
      keeper.detach();
      current.close();
      session = null;
      port.reserve();
      commits.leadershipEnds();
      watch.changed();
    }
  }

  @Override
  public synchronized void rename(Peer self) {
    UUID group = membership.orElseThrow().group();
    shut();
    Membership renamed = new Membership(group, false, self);
    files.group().write(renamed);
    membership = Optional.of(renamed);
    open(renamed);
  }

  @Override
  public synchronized void leave() {
    shut();
    watch.forgetFreeze();
    change.leave();
    membership = Optional.empty();
  }

  /** Of two that wait for a start, or find the same server dead, one does it. */
  private synchronized void restart(RatisSession seen) {
    if (!closed && started && session == seen && membership.isPresent()) {
      faults.ended(seen, applier);
      shut();
      if (!faults.mayStart(new MetadataFiles(files.log(), membership.get(), log), applier, log)) {
        return;
      }
      log.info(7_100_008, "Starting the replicated log again");
      applier.recover();
      membership.ifPresent(this::open);
      faults.started();
    }
  }

  @Override
  public Optional<String> fault() {
    return faults.current();
  }

  @Override
  public boolean isRecovered() {
    return machine != null && machine.isRecovered();
  }

  @Override
  public Optional<SyncReport> sync() {
    return sync.report();
  }

  @Override
  public List<Peer> peers() {
    RatisSession current = session;
    return current == null ? List.of() : current.peers();
  }

  @Override
  public AgreedPeers agreedPeers() {
    RatisSession current = session;
    return current == null ? AgreedPeers.NONE : current.agreedPeers();
  }

  @Override
  public void setPeers(List<Peer> peers, Duration timeout) {
    new PeerChange(required(), commits, scheduler).to(peers, timeout);
  }

  @Override
  public Set<String> inTouch() {
    return required().inTouch(electionTimeout);
  }

  @Override
  public synchronized void forcePeers(List<Peer> peers) {
    var forced = new ForcedPeers(required());
    shut();
    try {
      change.force(membership.orElseThrow(), forced, peers);
    } finally {
      open(membership.orElseThrow());
    }
  }

  @Override
  public void isBack(String peerId) {
    RatisSession current = session;
    if (current != null && current.isAlive()) {
      current.reconnect(peerId);
    }
  }

  @Override
  public Leadership leadership() {
    return watch.current();
  }

  @Override
  public void onLeadership(Consumer<Leadership> listener) {
    watch.listener(listener);
  }

  @Override
  public void successors(Predicate<String> peers) {
    takeover.successors(peers);
  }

  @Override
  public void transferTo(String peerId, Duration timeout) {
    required().handOver(peerId, timeout);
  }

  @Override
  public void stepDown(Duration standBack) {
    watch.freeze(standBack);
    required().stepDown(Duration.ofSeconds(10));
  }

  /** A log that is being started is frozen when it runs. */
  @Override
  public void freeze(Duration time) {
    var unused = membership.orElseThrow(RatisNode::noGroup);
    watch.freeze(time);
  }

  @Override
  public boolean isFrozen() {
    return watch.isFrozen();
  }

  @Override
  public void hold(boolean on) {
    watch.hold(on);
    hold.set(on);
    if (on && machine != null) {
      machine.awaitWritten();
    }
  }

  @Override
  public Ballot ballot() {
    return watch.ballot();
  }

  @Override
  public CommitLog log() {
    return commits;
  }

  @Override
  public CommitFuture confirmLeadership() {
    return commits.confirm();
  }

  /** Where entries without waiters go. */
  LogTarget target() {
    return required();
  }

  private RatisSession required() {
    return Optional.ofNullable(session).orElseThrow(RatisNode::noGroup);
  }

  private static CommandException noGroup() {
    return new CommandException(
        ErrorCode.NOT_YET_INITIALIZED, "This node belongs to no replicated log");
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      shut();
      port.close();
    }
    watch.close();
    keeper.close();
    commits.close();
  }
}
