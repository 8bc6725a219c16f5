package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.replication.raft.Peer.Role;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.server.RaftServer.Division;

/**
 * Hands leadership to a live voter that is preferred to this node, once it has caught up. Ratis
 * does so by itself only while nothing is written, and only if the most preferred of all is alive;
 * a node that is not to lead at all would then stay leader.
 */
final class PriorityTakeover {
  /** So many entries are on their way under load. */
  private static final long BEHIND_MAX = 16;

  private static final long PAUSE_NANOS_MIN = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

  private final Clock clock;
  private final Scheduler scheduler;
  private final Supplier<Duration> electionTimeout;
  private final Log log;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** Only for the thread that is busy. */
  private long pauseNanos = PAUSE_NANOS_MIN;

  private volatile long notBeforeNanos;
  private volatile Predicate<String> successors = peer -> true;

  PriorityTakeover(Clock clock, Scheduler scheduler, Supplier<Duration> electionTimeout, Log log) {
    this.clock = clock;
    this.scheduler = scheduler;
    this.electionTimeout = electionTimeout;
    this.log = log;
    this.notBeforeNanos = clock.monotonicNanos();
  }

  /**
   * Which peers could lead at once. That a peer has the log does not mean that it has applied it.
   */
  void successors(Predicate<String> peers) {
    successors = peers;
  }

  /** Looks whether there is a preferred peer, and hands over to it in the background. */
  void look(RatisSession session) {
    Division division = session.division();
    if (!division.getInfo().isLeaderReady()
        || clock.monotonicNanos() - notBeforeNanos < 0
        || division.getInfo().getRoleInfoProto().getRoleElapsedTimeMs()
            < 2 * electionTimeout.get().toMillis()) {
      return;
    }
    Optional<Peer> preferred = preferred(session, division);
    if (preferred.isPresent() && busy.compareAndSet(false, true)) {
      scheduler.run("takeover", () -> handOver(session, preferred.get().id()));
    }
  }

  private Optional<Peer> preferred(RatisSession session, Division division) {
    int local = session.priority();
    Set<String> able = able(session, division);
    return session.peers().stream()
        .filter(peer -> peer.role() == Role.VOTER && peer.priority() > local)
        .filter(peer -> able.contains(peer.id()) && successors.test(peer.id()))
        .max(Comparator.comparingInt(Peer::priority));
  }

  /** Those that are alive and have nearly everything. */
  private Set<String> able(RatisSession session, Division division) {
    Set<String> able = new HashSet<>();
    long committed = division.getRaftLog().getLastCommittedIndex();
    for (CommitInfoProto each : division.getCommitInfos()) {
      if (each.getCommitIndex() >= committed - BEHIND_MAX) {
        able.add(each.getServer().getId().toStringUtf8());
      }
    }
    able.retainAll(session.answering(electionTimeout.get()));
    return able;
  }

  /** One that will not become leader, because it is frozen, is not asked again and again. */
  private void handOver(RatisSession session, String peer) {
    try {
      log.info(7_100_009, "Handing leadership to a member with a higher priority", "peer", peer);
      session.handOver(peer, electionTimeout.get());
      pauseNanos = PAUSE_NANOS_MIN;
    } catch (CommandException e) {
      log.info(7_100_010, "The member did not become leader", "reason", e.getMessage());
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    } finally {
      notBeforeNanos = clock.monotonicNanos() + pauseNanos;
      busy.set(false);
    }
  }
}
