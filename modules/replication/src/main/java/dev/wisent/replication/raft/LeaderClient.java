package dev.wisent.replication.raft;

import java.io.IOException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;

/** A connection to the leader that a follower has been told to get a checkpoint from. */
final class LeaderClient implements AutoCloseable {
  private final RaftPeer leader;
  private final RaftClient client;

  /**
   * @param follower the role of this node, which names the leader
   */
  LeaderClient(
      RaftProperties properties, Parameters parameters, RaftGroupId group, RoleInfoProto follower) {
    RaftPeerProto named = follower.getFollowerInfo().getLeaderInfo().getId();
    this.leader =
        RaftPeer.newBuilder()
            .setId(RaftPeerId.valueOf(named.getId()))
            .setAddress(named.getAddress())
            .build();
    this.client =
        RaftClient.newBuilder()
            .setProperties(properties)
            .setParameters(parameters)
            .setRaftGroup(RaftGroup.valueOf(group, leader))
            .setLeaderId(leader.getId())
            .setRetryPolicy(RetryPolicies.noRetry())
            .build();
  }

  /** The id of the leader. */
  String leaderId() {
    return leader.getId().toString();
  }

  Message ask(CheckpointRequest request) throws IOException {
    RaftClientReply reply = client.io().sendStaleRead(request.encode(), 0, leader.getId());
    if (reply == null || !reply.isSuccess()) {
      throw new IOException(
          "The leader did not answer: " + (reply == null ? null : reply.getException()));
    }
    return reply.getMessage();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
