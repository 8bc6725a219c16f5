package dev.wisent.replication.member;

import dev.wisent.replication.raft.Peer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The ids of Raft's peers: the member's {@code _id}, and something random. A member that comes back
 * with an empty disk has forgotten its votes: it gets a new id, and is somebody else to Raft.
 */
final class PeerIds {
  private static final int RANDOM_DIGITS = 12;

  private PeerIds() {}

  static String create(int memberId) {
    String random = UUID.randomUUID().toString().replace("-", "");
    return memberId + "-" + random.substring(0, RANDOM_DIGITS);
  }

  static int memberId(String peerId) {
    return Integer.parseInt(peerId.substring(0, peerId.indexOf('-')));
  }

  static Optional<Peer> find(List<Peer> peers, int memberId) {
    return peers.stream().filter(peer -> memberId(peer.id()) == memberId).findFirst();
  }
}
