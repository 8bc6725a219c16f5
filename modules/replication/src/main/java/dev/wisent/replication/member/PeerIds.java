package dev.wisent.replication.member;

import dev.wisent.base.RandomSource;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.raft.Peer;
import java.util.List;
import java.util.Optional;

/**
 * The ids of Raft's peers: the member's {@code _id}, an {@code a} for an arbiter, and something
 * random. A member that comes back with an empty disk has forgotten its votes: it gets a new id,
 * and is another peer to Raft. A node remembers its id, and so from the first moment on whether it
 * is to keep data.
 */
final class PeerIds {
  private static final int RANDOM_DIGITS = 12;
  private static final String ARBITER = "a";

  private PeerIds() {}

  static String create(MemberConfig member, RandomSource source) {
    String random = source.nextUuid().toString().replace("-", "");
    return member.id()
        + (member.arbiter() ? ARBITER : "")
        + "-"
        + random.substring(0, RANDOM_DIGITS);
  }

  static int memberId(String peerId) {
    return Integer.parseInt(peerId.substring(0, peerId.indexOf('-')).replace(ARBITER, ""));
  }

  static boolean isArbiter(String peerId) {
    return peerId.startsWith(memberId(peerId) + ARBITER);
  }

  static Optional<Peer> find(List<Peer> peers, int memberId) {
    return peers.stream().filter(peer -> memberId(peer.id()) == memberId).findFirst();
  }
}
