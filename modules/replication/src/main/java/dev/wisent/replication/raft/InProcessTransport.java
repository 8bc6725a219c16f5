package dev.wisent.replication.raft;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.util.TimeDuration;

/**
 * Calls between the servers of a group that are all in this process. Requests and replies are
 * immutable, and passed on as they are.
 *
 * <p>Ratis makes an instance by the name of the class.
 */
public final class InProcessTransport implements RpcType {
  private static final String PEERS = InProcessPeers.class.getName();

  /**
   * What a server of this type is built with.
   *
   * @param standsBack whether the node does not stand for election
   * @param behind whether the node has not applied what it has to
   */
  static Parameters parameters(
      InProcessPeers peers, BooleanSupplier standsBack, BooleanSupplier behind) {
    Parameters parameters = YieldingVotes.parameters(standsBack, behind);
    parameters.put(PEERS, peers, InProcessPeers.class);
    return parameters;
  }

  @Override
  public String name() {
    return getClass().getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new Factory(this, parameters);
  }

  private static final class Factory implements ServerFactory, ClientFactory {
    private final RpcType type;
    private final Parameters parameters;
    private final InProcessPeers peers;

    Factory(RpcType type, Parameters parameters) {
      this.type = type;
      this.parameters = parameters;
      this.peers = parameters.get(PEERS, InProcessPeers.class);
    }

    @Override
    public RaftServerRpc newRaftServerRpc(RaftServer server) {
      TimeDuration timeout = RaftServerConfigKeys.Rpc.requestTimeout(server.getProperties());
      return new InProcessServer(type, peers, YieldingVotes.of(server, parameters), timeout);
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division server, LeaderState state, FollowerInfo follower) {
      return new InProcessAppender(server, state, follower);
    }

    @Override
    public RaftClientRpc newRaftClientRpc(ClientId client, RaftProperties properties) {
      return new Client(peers, RaftClientConfigKeys.Rpc.requestTimeout(properties));
    }

    @Override
    public RpcType getRpcType() {
      return type;
    }
  }

  /** A client of other nodes: all that they have to be asked for is checkpoints. */
  private record Client(InProcessPeers peers, TimeDuration timeout) implements RaftClientRpc {
    @Override
    public RaftClientReply sendRequest(RaftClientRequest request) throws IOException {
      CompletableFuture<RaftClientReply> reply =
          peers
              .server(request.getServerId())
              .answer(server -> server.submitClientRequestAsync(request));
      return InProcessServer.await(reply, timeout);
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> added) {
      // They are found when they are called.
    }

    @Override
    public void close() {
      // There is no connection.
    }
  }
}
