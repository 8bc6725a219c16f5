package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.replication.raft.LogTarget.Outcome;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The only member of a replica set whose log a {@link SimulatedLog} is. Writes go through the real
 * {@link RaftCommitLog}; what Ratis does, and {@link LogStateMachine} and {@link LeadershipWatch}
 * around it, is done here. An entry is proposed, some time later agreed upon, and then applied; a
 * crash or the end of leadership before that may take it away.
 */
public final class SimulatedRaftNode implements RaftNode, LogTarget {
  private static final LogSecret SECRET = LogSecret.of(new byte[32], true);

  private static final int ENTRIES_IN_FLIGHT = 8;
  private static final int ENTRY_BYTES_MAX = 32 << 20;

  /**
   * @param entry null where the term begins
   */
  private record Proposed(
      long term, long callId, ByteString entry, CompletableFuture<Outcome> outcome) {}

  private final SimulatedLog log;
  private final Path directory;
  private final LogApplier applier;
  private final ClusterClock clusterClock;
  private final RandomSource random;
  private final RaftCommitLog commits;
  private final LinkedBlockingQueue<Proposed> proposed = new LinkedBlockingQueue<>();
  private final SimulatedTerms terms;
  private final BackgroundLoop applying;
  private final BackgroundLoop watching;

  /** The last term of which an entry was lost. Only for the thread that applies. */
  private long lostTerm = -1;

  private SimulatedRaftNode(
      RaftOptions options,
      LogApplier applier,
      ClusterClock clusterClock,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops) {
    this.directory = options.directory();
    this.log = SimulatedLog.at(directory);
    this.applier = applier;
    this.clusterClock = clusterClock;
    this.random = random;
    this.commits =
        new RaftCommitLog(ENTRIES_IN_FLIGHT, ENTRY_BYTES_MAX, clusterClock, clock, loops);
    this.terms = new SimulatedTerms(log, commits, this);
    this.applying = loops.loop("raft-apply", this::applyNext);
    this.watching = loops.loop("raft-watch", terms::tell);
    SimulatedSets.opened(this);
  }

  /** In place of the constructor of {@link RatisNode}. */
  public static RaftNode create(
      RaftOptions options,
      LogApplier applier,
      ClusterClock clusterClock,
      Clock clock,
      RandomSource random,
      BackgroundLoops loops,
      Log log) {
    return new SimulatedRaftNode(options, applier, clusterClock, clock, random, loops);
  }

  Path directory() {
    return directory;
  }

  @Override
  public void start() {
    applying.start();
    watching.start();
    if (log.group() != null) {
      replay();
      lead();
    }
  }

  private void replay() {
    for (long i = applier.applied().index() + 1; i <= log.lastIndex(); i++) {
      SimulatedLog.Entry entry = log.get(i);
      EntryFormat.Entry content = EntryFormat.decode(entry.bytes().asReadOnlyByteBuffer());
      write(content.mutations(), false, new LogPosition(entry.term(), i));
      clusterClock.advanceTo(content.lastTimestamp());
    }
  }

  /** As in Raft, a term begins with an entry of its own, behind those of earlier terms. */
  private void lead() {
    proposed.add(new Proposed(terms.elected(), 0, null, null));
  }

  /** Loses leadership; another call lets this node lead again. */
  void loseLeadership() {
    terms.lost();
  }

  void leadAgain() {
    if (!terms.isElected() && log.group() != null) {
      lead();
    }
  }

  @Override
  public CompletableFuture<Outcome> append(long callId, ByteString entry) {
    var outcome = new CompletableFuture<Outcome>();
    proposed.add(new Proposed(terms.current(), callId, entry, outcome));
    return outcome;
  }

  private void applyNext() throws InterruptedException {
    Proposed next = proposed.take();
    if (next.entry == null) {
      terms.begins(next.term);
      return;
    }
    if (random.nextInt(4) == 0) {
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(2)));
    }
    // With an entry all later ones of its term are lost: a log has no gaps.
    if (next.term <= lostTerm || (next.term != terms.current() && random.nextBoolean())) {
      lostTerm = Math.max(lostTerm, next.term);
      next.outcome.complete(Outcome.UNKNOWN);
      return;
    }
    long term = next.term;
    long index = log.append(new SimulatedLog.Entry(term, next.entry));
    Proposal proposal = commits.claim(next.callId);
    try {
      EntryFormat.Entry content =
          proposal != null
              ? proposal.entry()
              : EntryFormat.decode(next.entry.asReadOnlyByteBuffer());
      write(content.mutations(), proposal != null, new LogPosition(term, index));
      clusterClock.advanceTo(content.lastTimestamp());
      if (proposal != null) {
        proposal.applied();
      }
    } catch (RuntimeException e) {
      if (proposal != null) {
        proposal.failed(RaftFuture.leadershipLost());
      }
      throw e;
    }
    next.outcome.complete(Outcome.APPLIED);
  }

  private void write(List<Mutation> mutations, boolean local, LogPosition position) {
    applier.awaitDue(mutations, () -> false);
    List<Applied> applied = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      if (!mutation.isEmpty()) {
        applied.add(new Applied(mutation, local));
      }
    }
    applier.apply(applied, position);
  }

  @Override
  public void publishCommitIndex() {}

  @Override
  public void resign() {
    loseLeadership();
    leadAgain();
  }

  @Override
  public void electionTimeout(Duration max) {}

  @Override
  public String address() {
    return "127.0.0.1:1";
  }

  @Override
  public Optional<UUID> group() {
    return Optional.ofNullable(log.group());
  }

  @Override
  public Optional<String> id() {
    return self().map(Peer::id);
  }

  @Override
  public boolean hasBegun() {
    return true;
  }

  @Override
  public void begin(UUID group, Peer self) {
    applier.apply(List.of(), new LogPosition(0, 0));
    applier.flush();
    log.enter(group, self);
    lead();
  }

  @Override
  public void join(UUID group, Peer self, LogSecret secret) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void joinWithData(UUID group, Peer self, LogSecret secret) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isCatchingUp() {
    return false;
  }

  @Override
  public Optional<LogSecret> secret() {
    return Optional.of(SECRET);
  }

  @Override
  public void keep(LogSecret secret) {
    // It has no port.
  }

  @Override
  public void rename(Peer self) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Peer> self() {
    return Optional.ofNullable(log.self());
  }

  @Override
  public void leave() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Peer> peers() {
    return self().stream().toList();
  }

  @Override
  public AgreedPeers agreedPeers() {
    return new AgreedPeers(peers(), false);
  }

  @Override
  public void setPeers(List<Peer> peers, Duration timeout) {
    // One member: there is nothing to change.
  }

  @Override
  public Set<String> inTouch() {
    return Set.of(log.self().id());
  }

  @Override
  public void forcePeers(List<Peer> peers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void isBack(String peerId) {}

  @Override
  public Optional<String> fault() {
    return Optional.empty();
  }

  @Override
  public boolean isRecovered() {
    return true;
  }

  @Override
  public Optional<SyncReport> sync() {
    return Optional.empty();
  }

  @Override
  public Leadership leadership() {
    Leadership last = terms.told();
    return last.ready() && !commits.acceptsWritesOf(last.term())
        ? new Leadership(last.term(), null, false)
        : last;
  }

  @Override
  public void onLeadership(Consumer<Leadership> newListener) {
    terms.listener(newListener);
  }

  @Override
  public void successors(Predicate<String> peers) {}

  @Override
  public void transferTo(String peerId, Duration timeout) {
    throw new CommandException(ErrorCode.COMMAND_FAILED, "there is no other member");
  }

  @Override
  public void stepDown(Duration standBack) {
    loseLeadership();
  }

  @Override
  public void freeze(Duration time) {}

  @Override
  public boolean isFrozen() {
    return false;
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
    return commits;
  }

  @Override
  public CommitFuture confirmLeadership() {
    return commits.confirm();
  }

  @Override
  public void close() {
    applying.interrupt();
    watching.interrupt();
    commits.close();
  }
}
