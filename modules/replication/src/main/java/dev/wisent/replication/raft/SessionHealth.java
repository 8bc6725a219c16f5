package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.replication.raft.Peer.Role;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.storage.RaftStorageMetadata;

/**
 * What Ratis does not notice about itself: that a server has to be started again, or that it leads
 * and cannot begin to. Only for the thread that watches.
 */
final class SessionHealth {
  /** So long at most it takes to write a vote to a disk that works, even to a busy one. */
  private static final long UNSAVED_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  /** So long at most it takes to apply an entry. */
  private static final long UNREADY_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);

  private final Clock clock;
  private final Since unsaved = new Since();
  private final Since unready = new Since();

  /** Since when something is as it is. */
  private static final class Since {
    private Object what;
    private long nanos;

    /** How long it is as it is now. */
    long lasts(Object now, long nowNanos) {
      if (!now.equals(what)) {
        what = now;
        nanos = nowNanos;
      }
      return nowNanos - nanos;
    }

    void over() {
      what = null;
    }
  }

  private record Unsaved(RatisSession session, long term) {}

  private record Unready(RatisSession session, long term, long applied) {}

  SessionHealth(Clock clock) {
    this.clock = clock;
  }

  /** Whether a server is to be started in its place; null if there is none. */
  boolean isStartNeeded(RatisSession now) {
    return now == null || !now.isAlive() || isListenerUnawares(now) || isWithoutVote(now);
  }

  /** Ratis does not notice by itself that a voter has become a listener. */
  private static boolean isListenerUnawares(RatisSession now) {
    DivisionInfo info = now.division().getInfo();
    boolean changing = !now.division().getRaftConf().getPreviousPeers().isEmpty();
    if (info.getCurrentRole() != RaftPeerRole.FOLLOWER || changing) {
      return false;
    }
    List<Peer> peers = now.peers();
    return peers.stream()
        .anyMatch(peer -> peer.role() == Role.LISTENER && peer.id().equals(now.self().toString()));
  }

  /** Whether it could not write its vote. */
  private boolean isWithoutVote(RatisSession now) {
    if (!hasUnsavedVote(now)) {
      unsaved.over();
      return false;
    }
    var state = new Unsaved(now, now.division().getInfo().getCurrentTerm());
    return unsaved.lasts(state, clock.monotonicNanos()) > UNSAVED_NANOS_MAX;
  }

  /**
   * Whether it has not written its vote for itself: not yet, or the disk is full, say. Ratis gives
   * up such an election and begins no other one.
   */
  static boolean hasUnsavedVote(RatisSession now) {
    DivisionInfo info = now.division().getInfo();
    if (!info.isCandidate()) {
      return false;
    }
    RaftStorageMetadata saved = now.vote();
    return saved != null && saved.getTerm() < info.getCurrentTerm();
  }

  /**
   * Whether it leads, and does not get on with applying what was in the log before. Says so once,
   * and again if that stays so.
   */
  boolean isUnreadyLeader(RatisSession now) {
    DivisionInfo info = now.division().getInfo();
    if (!info.isLeader() || info.isLeaderReady()) {
      unready.over();
      return false;
    }
    long applied = now.machine().getLastAppliedTermIndex().getIndex();
    var state = new Unready(now, info.getCurrentTerm(), applied);
    if (unready.lasts(state, clock.monotonicNanos()) <= UNREADY_NANOS_MAX) {
      return false;
    }
    unready.over();
    return true;
  }
}
