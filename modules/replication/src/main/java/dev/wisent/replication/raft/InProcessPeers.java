package dev.wisent.replication.raft;

import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * The nodes of replicated logs in this process that call each other directly. They listen on no
 * port, and no node of another process can take part in their logs. Decision record 0054 says why.
 * Thread-safe.
 */
public final class InProcessPeers {
  private final String id;

  /** The servers that run, by the ids of their peers. */
  private final Map<RaftPeerId, InProcessServer> servers = new ConcurrentHashMap<>();

  /**
   * Has no nodes yet.
   *
   * @param id differs from that of all others, also in other processes
   */
  public InProcessPeers(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  void started(RaftPeerId peer, InProcessServer server) {
    servers.put(peer, server);
  }

  /** A server that has been started in its place meanwhile stays. */
  void closed(RaftPeerId peer, InProcessServer server) {
    servers.remove(peer, server);
  }

  /** The server of a peer; it fails as a refused connection does where none runs. */
  InProcessServer server(RaftPeerId peer) throws ConnectException {
    InProcessServer server = servers.get(peer);
    if (server == null) {
      throw new ConnectException("No log of " + peer + " runs in this process");
    }
    return server;
  }
}
