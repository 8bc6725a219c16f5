package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;

/** Gets a checkpoint from another node. */
final class CheckpointFetch {
  private final RaftProperties properties;
  private final Parameters parameters;
  private final RaftGroupMemberId self;
  private final SyncProgress progress;

  CheckpointFetch(
      RaftProperties properties,
      Parameters parameters,
      RaftGroupMemberId self,
      SyncProgress progress) {
    this.properties = properties;
    this.parameters = parameters;
    this.self = self;
    this.progress = progress;
  }

  /** The leader that a follower has been told to get a checkpoint from. */
  private static RaftPeer leader(RoleInfoProto follower) {
    RaftPeerProto leader = follower.getFollowerInfo().getLeaderInfo().getId();
    return RaftPeer.newBuilder()
        .setId(RaftPeerId.valueOf(leader.getId()))
        .setAddress(leader.getAddress())
        .build();
  }

  /**
   * Copies everything that the leader has into a directory, which is emptied before.
   *
   * @param follower the role of this node, which names the leader
   * @param data whether this node keeps data, or needs no more than an outline
   */
  Path fetch(RoleInfoProto follower, Path target, boolean data) throws IOException {
    RaftPeer source = leader(follower);
    progress.begins(source.getId().toString());
    RaftFiles.deleteRecursively(target);
    Files.createDirectories(target);
    try (RaftClient client =
        RaftClient.newBuilder()
            .setProperties(properties)
            .setParameters(parameters)
            .setRaftGroup(RaftGroup.valueOf(self.getGroupId(), source))
            .setLeaderId(source.getId())
            .setRetryPolicy(RetryPolicies.noRetry())
            .build()) {
      List<String> lines =
          CheckpointServer.lines(
              ask(client, source, CheckpointRequest.make(data, self.getPeerId())));
      long checkpoint = Long.parseLong(lines.getFirst());
      progress.total(lines.stream().skip(1).mapToLong(CheckpointFetch::size).sum());
      for (int i = 1; i < lines.size(); i++) {
        int blank = lines.get(i).indexOf(' ');
        Path file = target.resolve(lines.get(i).substring(blank + 1)).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("The leader has a file outside of its checkpoint: " + file);
        }
        Files.createDirectories(file.getParent());
        long size = size(lines.get(i));
        copy(client, source, file, new CheckpointRequest(READ, checkpoint, i - 1, 0, size));
      }
      ask(client, source, CheckpointRequest.discard(checkpoint));
    } catch (IOException | RuntimeException e) {
      RaftFiles.deleteRecursively(target);
      throw e;
    }
    return target;
  }

  private static final CheckpointRequest.Kind READ = CheckpointRequest.Kind.READ;

  /** The length of a file, which stands before its name. */
  private static long size(String line) {
    return Long.parseLong(line.substring(0, line.indexOf(' ')));
  }

  private void copy(RaftClient client, RaftPeer source, Path file, CheckpointRequest whole)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long offset = 0;
      while (offset < whole.length()) {
        long rest = Math.min(whole.length() - offset, CheckpointServer.PART_BYTES_MAX);
        Message part =
            ask(
                client,
                source,
                new CheckpointRequest(READ, whole.checkpoint(), whole.file(), offset, rest));
        ByteBuffer bytes = part.getContent().asReadOnlyByteBuffer();
        if (bytes.remaining() != rest) {
          throw new IOException("A part of " + file.getFileName() + " is missing");
        }
        while (bytes.hasRemaining()) {
          offset += channel.write(bytes);
        }
        progress.copied(rest);
      }
    }
  }

  private static Message ask(RaftClient client, RaftPeer source, CheckpointRequest request)
      throws IOException {
    RaftClientReply reply = client.io().sendStaleRead(request.encode(), 0, source.getId());
    if (reply == null || !reply.isSuccess()) {
      throw new IOException(
          "The leader did not answer: " + (reply == null ? null : reply.getException()));
    }
    return reply.getMessage();
  }
}
