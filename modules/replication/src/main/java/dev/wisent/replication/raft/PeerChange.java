package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes the peers of a log that this node leads. Ratis adds no more than a minority at once, so
 * new ones come one by one. Each takes the place of one that goes, if there is one: it may be the
 * same node under another name.
 */
record PeerChange(RatisSession session, RaftCommitLog commits, Scheduler scheduler) {
  /** Returns when the change is agreed upon and new peers have caught up. */
  void to(List<Peer> peers, Duration timeout) {
    List<Peer> reached = new ArrayList<>(session.peers());
    try (var nudges = new Nudges(commits, scheduler)) {
      for (Peer peer : peers) {
        if (!RatisPeers.has(reached, peer.id())) {
          reached.stream()
              .filter(other -> !RatisPeers.has(peers, other.id()))
              .findFirst()
              .ifPresent(reached::remove);
          reached.add(peer);
          session.setPeers(reached, timeout);
        }
      }
      session.setPeers(peers, timeout);
    }
  }
}
