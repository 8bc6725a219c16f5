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

  /** The leader is of a version that has no answer to a request of this kind. */
  static final class UnknownRequestException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownRequestException(Throwable cause) {
      super("The leader does not know the request", cause);
    }
  }

  Message ask(CheckpointRequest request) throws IOException {
    return ask(request.encode());
  }

  Message ask(Message request) throws IOException {
    RaftClientReply reply;
    try {
      reply = client.io().sendStaleRead(request, 0, leader.getId());
    } catch (IOException e) {
      throw failure(e);
    }
    if (reply == null || !reply.isSuccess()) {
      throw failure(reply == null ? null : reply.getException());
    }
    return reply.getMessage();
  }

  /** What the other node threw comes as text. */
  private static IOException failure(Throwable why) {
    for (Throwable each = why; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains(CheckpointRequest.UNKNOWN_KIND)) {
        return new UnknownRequestException(why);
      }
    }
    return new IOException("The leader did not answer: " + why, why);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
