package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.storage.RaftStorageMetadata;

/**
 * Watches this node's role and tells of its changes, in order. Ratis says at once when leadership
 * begins and ends; the rest (a leader that is not heard of any more, a server that has closed
 * itself) is looked at from time to time.
 */
final class LeadershipWatch {
  private static final long LOOK_MILLIS = 100;
  private static final long HEAL_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
  private static final long HEAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  /** A listener that fails this often in a row cannot become leader: another node has to. */
  private static final int TELLINGS_MAX = 10;

  private static final Duration FAILED_STAND_BACK = Duration.ofSeconds(30);

  private static final Leadership NOBODY = new Leadership(0, null, false);

  /** The server that is watched. */
  record Server(
      BooleanSupplier wanted, BooleanSupplier waiting, Consumer<RatisSession> restarting) {
    /** Whether there ought to be one. */
    boolean isWanted() {
      return wanted.getAsBoolean();
    }

    /** Whether it is started as soon as there is space on the disk. */
    boolean awaitsRoom() {
      return waiting.getAsBoolean();
    }

    /**
     * @param seen the one that is no good, or null; nothing is done if there is another one by now
     */
    void restart(RatisSession seen) {
      restarting.accept(seen);
    }
  }

  private final Supplier<RatisSession> session;
  private final Server server;
  private final RaftCommitLog commits;
  private final PriorityTakeover takeover;
  private final SessionHealth health;
  private final Clock clock;
  private final Log log;
  private final LinkedBlockingQueue<Leadership> changes = new LinkedBlockingQueue<>();
  private final BackgroundLoop loop;
  private volatile Consumer<Leadership> listener = leadership -> {};
  private volatile Leadership current = NOBODY;

  /** How often the listener has failed to follow the current leadership. Only for the thread. */
  private int failures;

  /** When a server that has closed itself is started again. Only for the thread. */
  private long nextHealNanos;

  /** Only for the thread. */
  private long healPauseNanos = HEAL_NANOS_MIN;

  /** The term of this node; -1 if it does not lead. Guarded by this. */
  private long readyTerm = -1;

  /** How often this node has stood, and in which term last. Guarded by this. */
  private long candidacies;

  private long candidateTerm = -1;

  /** When it may stand for election again. Guarded by this. */
  private long frozenUntilNanos;

  /** Guarded by this. */
  private boolean frozen;

  /** Whether the store is to stay as it is: who does not apply cannot lead. */
  private volatile boolean held;

  private final Object pausing = new Object();

  /** The server that was asked not to stand for election; null if none. Guarded by pausing. */
  private RatisSession paused;

  LeadershipWatch(
      Supplier<RatisSession> session,
      Server server,
      RaftCommitLog commits,
      PriorityTakeover takeover,
      Clock clock,
      BackgroundLoops loops,
      Log log) {
    this.session = session;
    this.server = server;
    this.commits = commits;
    this.takeover = takeover;
    this.health = new SessionHealth(clock);
    this.clock = clock;
    this.log = log;
    this.nextHealNanos = clock.monotonicNanos();
    this.loop = loops.loop("wisent-raft-watch", this::turn);
  }

  void start() {
    loop.start();
  }

  void listener(Consumer<Leadership> newListener) {
    listener = newListener;
  }

  /** What was told last; but leadership that is over is over, also before that is told. */
  Leadership current() {
    Leadership told = current;
    return told.ready() && !commits.acceptsWritesOf(told.term())
        ? new Leadership(told.term(), null, false)
        : told;
  }

  /** Everything of earlier terms is applied. A node that is not to lead hands on. */
  synchronized void leadBegins() {
    RatisSession leading = session.get();
    if (leading == null || leading.priority() == 0) {
      return;
    }
    DivisionInfo info = leading.division().getInfo();
    long term = info.getCurrentTerm();
    stoodIn(term);
    readyTerm = term;
    commits.leadershipBegins(term, leading);
    if (!info.isLeader() || info.getCurrentTerm() != term) {
      // It was over before it began, and we may have been told in the other order.
      leadEnds();
    } else {
      changes.add(new Leadership(term, leading.self().toString(), true));
    }
  }

  synchronized void leadEnds() {
    commits.leadershipEnds();
    if (readyTerm >= 0) {
      changes.add(new Leadership(readyTerm, null, false));
      readyTerm = -1;
    }
  }

  /** Something may have changed. */
  synchronized void changed() {
    RatisSession now = session.get();
    if (now == null) {
      changes.add(NOBODY);
    } else if (now.isAlive()) {
      changes.add(look(now));
    }
  }

  private Leadership look(RatisSession now) {
    DivisionInfo info = now.division().getInfo();
    long term = info.getCurrentTerm();
    if (info.isCandidate()) {
      stoodIn(term);
    }
    // One that may not stand keeps the name of the leader it misses.
    boolean misses = info.isCandidate() || info.getLeaderId() == null;
    String leader = misses ? null : info.getLeaderId().toString();
    boolean ready = readyTerm >= 0 && info.isLeader();
    return ready
        ? new Leadership(readyTerm, now.self().toString(), true)
        : new Leadership(term, leader, false);
  }

  private void stoodIn(long term) {
    if (term != candidateTerm) {
      candidateTerm = term;
      candidacies++;
    }
  }

  Ballot ballot() {
    RatisSession now = session.get();
    RaftStorageMetadata vote = now != null && now.isAlive() ? now.vote() : null;
    synchronized (this) {
      return vote == null
          ? new Ballot(candidacies, 0, null)
          : new Ballot(candidacies, vote.getTerm(), vote.getVotedFor().toString());
    }
  }

  private void turn() throws InterruptedException {
    Leadership change = changes.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    if (change != null) {
      tell(change);
    } else {
      if (failures > 0) {
        tellAgain();
      }
      lookAround();
    }
  }

  private void tell(Leadership change) {
    if (!change.equals(current)) {
      current = change;
      failures = 0;
      tellAgain();
    }
  }

  /**
   * A listener that has failed is told again: until it has begun a term it takes no writes, and no
   * other node does so while this one leads.
   */
  private void tellAgain() {
    try {
      listener.accept(current);
      failures = 0;
    } catch (RuntimeException e) {
      failures++;
      log.warn(
          7_100_014,
          "Cannot follow a change of leadership",
          "attempt",
          failures,
          "leads",
          current.ready(),
          "error",
          e.toString());
      RatisSession leading = session.get();
      if (current.ready() && failures >= TELLINGS_MAX && leading != null) {
        resign(leading);
      }
    }
  }

  /**
   * Leaves leadership to another node, if there is one that can have it. This one may have the
   * highest priority, and would win the next election too.
   */
  private void resign(RatisSession leading) {
    String self = leading.self().toString();
    boolean replaceable =
        leading.peers().stream()
            .anyMatch(
                peer ->
                    peer.role() == Peer.Role.VOTER
                        && peer.priority() > 0
                        && !peer.id().equals(self));
    if (replaceable) {
      freeze(FAILED_STAND_BACK);
      leading.resign();
    }
  }

  private void lookAround() {
    RatisSession now = session.get();
    if (now == null && !server.isWanted()) {
      return;
    }
    if (health.isStartNeeded(now)) {
      healWhenTime(now);
      return;
    }
    changed();
    if (health.isUnreadyLeader(now)) {
      log.warn(
          7_100_015,
          "Leads but cannot apply the log",
          "at",
          now.machine().getLastAppliedTermIndex());
      resign(now);
    }
    thawWhenTime(now);
    takeover.look(now);
  }

  /** Less and less often: what closes a server may do so again. */
  private void healWhenTime(RatisSession seen) {
    long now = clock.monotonicNanos();
    boolean soon = server.awaitsRoom() && nextHealNanos - now > HEAL_NANOS_MIN;
    if (now - nextHealNanos < 0 && !soon) {
      return;
    }
    boolean again = now - nextHealNanos < HEAL_NANOS_MAX && !server.awaitsRoom();
    healPauseNanos = again ? Math.min(2 * healPauseNanos, HEAL_NANOS_MAX) : HEAL_NANOS_MIN;
    nextHealNanos = now + healPauseNanos;
    server.restart(seen);
  }

  /** Does not stand for election until the time is over; zero ends that. */
  void freeze(Duration time) {
    synchronized (this) {
      frozenUntilNanos = clock.monotonicNanos() + time.toNanos();
      frozen = !time.isZero();
    }
    RatisSession now = session.get();
    if (now != null) {
      tryPause(now);
    }
  }

  /** Does not stand for election while its store is to stay as it is. */
  void hold(boolean on) {
    held = on;
    RatisSession now = session.get();
    if (now != null) {
      tryPause(now);
    }
  }

  /** The log that it was frozen in is gone. */
  synchronized void forgetFreeze() {
    frozen = false;
  }

  synchronized boolean isFrozen() {
    return frozen;
  }

  /** Whether it does not stand for election. */
  boolean standsBack() {
    return held || isFrozen();
  }

  /** The time of a freeze may be over, and another server knows nothing of one. */
  private void thawWhenTime(RatisSession now) {
    synchronized (this) {
      frozen = frozen && clock.monotonicNanos() - frozenUntilNanos < 0;
    }
    tryPause(now);
  }

  private void tryPause(RatisSession now) {
    try {
      pauseIfNeeded(now);
    } catch (CommandException e) {
      // It does not listen before it runs: at the next look.
    }
  }

  /**
   * Keeps a server from standing for election that is frozen, and one that is in no configuration
   * it knows of: that one is just being taken up, and would close itself.
   *
   * <p>Asks Ratis without holding this: it tells us of changes with its own locks held.
   */
  private void pauseIfNeeded(RatisSession now) {
    synchronized (pausing) {
      boolean wanted = standsBack() || now.isOutside();
      if (wanted == (paused == now)) {
        return;
      }
      now.pauseElections(wanted);
      paused = wanted ? now : null;
      if (!wanted) {
        StuckCandidate.release(now);
      }
    }
  }

  void close() {
    loop.interrupt();
  }
}
