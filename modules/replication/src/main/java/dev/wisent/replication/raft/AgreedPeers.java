package dev.wisent.replication.raft;

import java.util.List;

/**
 * The peers that count, as this node knows them.
 *
 * @param peers while they are being changed, those that count before and after the change
 * @param changing whether a change is under way, which takes a majority of the peers before it and
 *     one of those after it
 */
public record AgreedPeers(List<Peer> peers, boolean changing) {
  public static final AgreedPeers NONE = new AgreedPeers(List.of(), false);

  public AgreedPeers {
    peers = List.copyOf(peers);
  }
}
