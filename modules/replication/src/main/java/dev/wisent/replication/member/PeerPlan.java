package dev.wisent.replication.member;

import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.wire.HostAndPort;
import java.util.List;

/** How members of a configuration look as peers of Raft. */
final class PeerPlan {
  private PeerPlan() {}

  /** The peer for a member that has that id and listens for Raft on that port. */
  static Peer peer(ReplicaSetConfig config, MemberConfig member, String peerId, int raftPort) {
    String address = HostAndPort.parse(member.host()).host() + ":" + raftPort;
    return new Peer(peerId, address, priority(config, member), role(member));
  }

  /** The member's place among the priorities: MongoDB's are fractions, and only order counts. */
  static int priority(ReplicaSetConfig config, MemberConfig member) {
    if (!member.isElectable()) {
      return 0;
    }
    List<Double> ranks =
        config.members().stream()
            .filter(MemberConfig::isElectable)
            .map(MemberConfig::priority)
            .distinct()
            .sorted()
            .toList();
    return ranks.indexOf(member.priority()) + 1;
  }

  private static Peer.Role role(MemberConfig member) {
    return member.isVoter() ? Peer.Role.VOTER : Peer.Role.LISTENER;
  }

  /** The same peer, where it is, under another configuration. */
  static Peer under(ReplicaSetConfig config, MemberConfig member, Peer peer) {
    return new Peer(peer.id(), peer.address(), priority(config, member), role(member));
  }
}
