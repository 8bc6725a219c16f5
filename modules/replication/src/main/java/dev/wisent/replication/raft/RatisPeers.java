package dev.wisent.replication.raft;

import dev.wisent.replication.raft.Peer.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;

/** Our peers and Ratis'. */
final class RatisPeers {
  private RatisPeers() {}

  static boolean has(Collection<Peer> peers, String id) {
    return peers.stream().anyMatch(peer -> peer.id().equals(id));
  }

  static RaftPeer toRatis(Peer peer) {
    return RaftPeer.newBuilder()
        .setId(peer.id())
        .setAddress(peer.address())
        .setPriority(peer.priority())
        .setStartupRole(
            peer.role() == Role.LISTENER ? RaftPeerRole.LISTENER : RaftPeerRole.FOLLOWER)
        .build();
  }

  static List<RaftPeer> toRatis(Collection<Peer> peers, Role role) {
    return peers.stream().filter(peer -> peer.role() == role).map(RatisPeers::toRatis).toList();
  }

  static List<Peer> fromRatis(RaftConfiguration configuration) {
    List<Peer> peers = new ArrayList<>();
    for (RaftPeer peer : configuration.getAllPeers(RaftPeerRole.FOLLOWER)) {
      peers.add(fromRatis(peer, Role.VOTER));
    }
    for (RaftPeer peer : configuration.getAllPeers(RaftPeerRole.LISTENER)) {
      peers.add(fromRatis(peer, Role.LISTENER));
    }
    return peers;
  }

  /** A change is over when its second entry, with the new peers alone, is in the log. */
  static AgreedPeers agreed(RaftConfiguration configuration) {
    List<Peer> peers = fromRatis(configuration);
    Set<String> before = ids(configuration, RaftConfiguration::getPreviousPeers);
    if (before.isEmpty()) {
      return new AgreedPeers(peers, false);
    }
    Set<String> after = ids(configuration, RaftConfiguration::getCurrentPeers);
    peers.removeIf(peer -> !before.contains(peer.id()) || !after.contains(peer.id()));
    return new AgreedPeers(peers, true);
  }

  private static Set<String> ids(
      RaftConfiguration configuration,
      BiFunction<RaftConfiguration, RaftPeerRole, Collection<RaftPeer>> part) {
    Set<String> ids = new HashSet<>();
    for (RaftPeerRole role : List.of(RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)) {
      part.apply(configuration, role).forEach(peer -> ids.add(peer.getId().toString()));
    }
    return ids;
  }

  private static Peer fromRatis(RaftPeer peer, Role role) {
    return new Peer(peer.getId().toString(), peer.getAddress(), peer.getPriority(), role);
  }
}
