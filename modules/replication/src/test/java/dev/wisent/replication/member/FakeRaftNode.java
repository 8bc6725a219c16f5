package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.raft.AgreedPeers;
import dev.wisent.replication.raft.Ballot;
import dev.wisent.replication.raft.Leadership;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A node of a {@link FakeLog}; all nodes of a test share the map of logs. */
final class FakeRaftNode implements RaftNode {
  private final Map<UUID, FakeLog> logs;
  private final StorageEngine storage;
  private final ClusterClock clock;
  private final int port;
  private volatile UUID group;
  private volatile Peer self;
  private volatile LogSecret secret;
  private volatile boolean begun;

  /** Whether a group that is begun here has no secret. */
  volatile boolean byOlderVersion;

  private volatile Consumer<Leadership> listener = leadership -> {};
  private volatile ApplyObserver observer;
  private volatile Leadership told = new Leadership(0, null, false);
  volatile Duration frozen = Duration.ZERO;

  volatile Duration electionTimeout = Duration.ZERO;

  /** Why it does not follow the log; null if it does. */
  volatile String fault;

  /** Whether it was to keep its data when it joined last. */
  volatile boolean joinedWithData;

  volatile boolean catchingUp;

  /** Whether it has applied again what was applied before. */
  volatile boolean recovered = true;

  volatile SyncReport sync;

  /** The member that is just being added to the peers; -1 if none is. */
  volatile int entering = -1;

  /** Whether it makes no peer leader. */
  volatile boolean deaf;

  /** A transfer takes longer than its caller waits, and succeeds before the next request. */
  volatile boolean slow;

  /** Which peers it would hand leadership to. */
  volatile Predicate<String> successors;

  private String lateTransfer;

  /** The member that the leader does not hear of. */
  volatile int silentMember = -1;

  private long index;

  FakeRaftNode(Map<UUID, FakeLog> logs, StorageEngine storage, ClusterClock clock, int port) {
    this.logs = logs;
    this.storage = storage;
    this.clock = clock;
    this.port = port;
  }

  void observer(ApplyObserver newObserver) {
    observer = newObserver;
  }

  FakeLog fake() {
    return logs.get(group);
  }

  void apply(Mutation mutation) {
    observer.applying(List.of(new Applied(mutation, false)));
    storage.apply(List.of(mutation.batch()), new LogPosition(1, ++index));
    observer.applied();
  }

  void leadershipChanged() {
    Leadership now = leadership();
    if (!now.equals(told)) {
      told = now;
      listener.accept(now);
    }
  }

  @Override
  public void start() {}

  @Override
  public void electionTimeout(Duration max) {
    electionTimeout = max;
  }

  @Override
  public String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public Optional<UUID> group() {
    return Optional.ofNullable(group);
  }

  @Override
  public Optional<String> id() {
    return Optional.ofNullable(self).map(Peer::id);
  }

  @Override
  public boolean hasBegun() {
    return begun;
  }

  @Override
  public void begin(UUID newGroup, Peer newSelf) {
    begun = true;
    group = newGroup;
    self = newSelf;
    secret = byOlderVersion ? null : LogSecret.create(true);
    logs.put(newGroup, new FakeLog());
    fake().begin(this, newSelf);
  }

  @Override
  public void join(UUID newGroup, Peer newSelf, LogSecret newSecret) {
    begun = false;
    secret = newSecret;
    group = newGroup;
    self = newSelf;
    fake().join(this, newSelf);
  }

  @Override
  public void joinWithData(UUID newGroup, Peer newSelf, LogSecret newSecret) {
    joinedWithData = true;
    join(newGroup, newSelf, newSecret);
  }

  @Override
  public boolean isCatchingUp() {
    return catchingUp;
  }

  @Override
  public Optional<LogSecret> secret() {
    return Optional.ofNullable(secret);
  }

  @Override
  public void keep(LogSecret newSecret) {
    secret = newSecret;
  }

  @Override
  public void rename(Peer newSelf) {
    fake().leave(self.id());
    self = newSelf;
    fake().join(this, newSelf);
  }

  @Override
  public Optional<Peer> self() {
    return Optional.ofNullable(self);
  }

  @Override
  public void leave() {
    fake().leave(self.id());
    group = null;
    self = null;
    frozen = Duration.ZERO;
  }

  @Override
  public List<Peer> peers() {
    return group == null ? List.of() : fake().peers(self.id());
  }

  @Override
  public AgreedPeers agreedPeers() {
    return new AgreedPeers(
        peers().stream().filter(peer -> PeerIds.memberId(peer.id()) != entering).toList(),
        entering >= 0);
  }

  @Override
  public void setPeers(List<Peer> peers, Duration timeout) {
    fake().setPeers(self.id(), peers);
  }

  @Override
  public Set<String> inTouch() {
    Set<String> ids = new HashSet<>();
    peers().forEach(peer -> ids.add(peer.id()));
    ids.removeIf(id -> PeerIds.memberId(id) == silentMember);
    return ids;
  }

  @Override
  public void forcePeers(List<Peer> peers) {
    fake().forcePeers(self.id(), peers);
  }

  @Override
  public void isBack(String peerId) {}

  @Override
  public Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  @Override
  public boolean isRecovered() {
    return recovered;
  }

  @Override
  public Optional<SyncReport> sync() {
    return Optional.ofNullable(sync);
  }

  @Override
  public Leadership leadership() {
    return group == null ? new Leadership(0, null, false) : fake().leadership(self.id());
  }

  @Override
  public void onLeadership(Consumer<Leadership> newListener) {
    listener = newListener;
  }

  @Override
  public void successors(Predicate<String> peers) {
    successors = peers;
  }

  @Override
  public void transferTo(String peerId, Duration timeout) {
    if (deaf) {
      throw new CommandException(ErrorCode.COMMAND_FAILED, "no member becomes leader");
    }
    if (slow) {
      lateTransfer = peerId;
      throw new CommandException(ErrorCode.EXCEEDED_TIME_LIMIT, "the transfer takes too long");
    }
    fake().lead(peerId);
  }

  @Override
  public void stepDown(Duration standBack) {
    frozen = standBack;
    if (lateTransfer != null) {
      fake().lead(lateTransfer);
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not the leader");
    }
    fake().loseLeader();
  }

  @Override
  public void freeze(Duration time) {
    frozen = time;
  }

  @Override
  public boolean isFrozen() {
    return !frozen.isZero();
  }

  @Override
  public void hold(boolean on) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Ballot ballot() {
    return Ballot.NONE;
  }

  @Override
  public CommitLog log() {
    return new CommitLog() {
      @Override
      public CommitFuture submit(Mutation mutation) {
        try {
          fake().submit(self.id(), mutation, clock);
        } catch (CommandException e) {
          throw FakeLog.failed(e);
        }
        return new Done();
      }

      @Override
      public void sync() {}

      @Override
      public void close() {}
    };
  }

  private static final class Done implements CommitFuture {
    @Override
    public void awaitApplied() {}

    @Override
    public void awaitDurable() {}

    @Override
    public long position() {
      return 0;
    }
  }

  @Override
  public CommitFuture confirmLeadership() {
    return log().submit(new MutationBuilder().build());
  }

  @Override
  public void close() {}
}
