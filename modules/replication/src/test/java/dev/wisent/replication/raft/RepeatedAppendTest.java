package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader that hears nothing for a while sends what it has sent again, together with what has come
 * since. The follower confirms what is in its log and nothing else: its word counts for majorities.
 */
class RepeatedAppendTest {
  private static final RaftPeerId LEADER = RaftPeerId.valueOf("leader");
  private static final RaftPeerId FOLLOWER = RaftPeerId.valueOf("follower");
  private static final long TERM = 7;

  private final RaftGroupId group = RaftGroupId.valueOf(UUID.randomUUID());

  @RepeatedTest(5)
  void aFollowerConfirmsWhatItHas(@TempDir Path directory) throws Exception {
    int port = freePort();
    var options = RaftOptions.defaults(directory, "127.0.0.1", port);
    RaftProperties properties = RatisSettings.of(options, directory.resolve("log"), port);
    try (RaftServer server =
        RaftServer.newBuilder()
            .setServerId(FOLLOWER)
            .setGroup(RaftGroup.valueOf(group, peer(FOLLOWER, port), peer(LEADER, freePort())))
            .setOption(StartupOption.FORMAT)
            .setStateMachine(new BaseStateMachine())
            .setProperties(properties)
            .setParameters(YieldingVotes.parameters(() -> true, () -> false))
            .build()) {
      server.start();
      var replies =
          List.of(
              server.appendEntriesAsync(request(1, 0, 0)),
              server.appendEntriesAsync(request(2, 0, 4)),
              server.appendEntriesAsync(request(3, 3, 9)));
      for (CompletableFuture<AppendEntriesReplyProto> each : replies) {
        AppendEntriesReplyProto reply = each.get(60, TimeUnit.SECONDS);
        assertThat(reply.getResult()).isEqualTo(AppendResult.SUCCESS);
        long last = server.getDivision(group).getRaftLog().getLastEntryTermIndex().getIndex();
        assertThat(last).isGreaterThanOrEqualTo(reply.getMatchIndex());
      }
    }
  }

  private static RaftPeer peer(RaftPeerId id, int port) {
    return RaftPeer.newBuilder().setId(id).setAddress("127.0.0.1:" + port).build();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private AppendEntriesRequestProto request(long call, long first, long last) {
    var request =
        AppendEntriesRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(LEADER.toByteString())
                    .setReplyId(FOLLOWER.toByteString())
                    .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString()))
                    .setCallId(call))
            .setLeaderTerm(TERM)
            .setLeaderCommit(RaftLog.INVALID_LOG_INDEX);
    if (first > 0) {
      request.setPreviousLog(TermIndexProto.newBuilder().setTerm(TERM).setIndex(first - 1));
    }
    return request
        .addAllEntries(
            LongStream.rangeClosed(first, last).mapToObj(RepeatedAppendTest::entry).toList())
        .build();
  }

  private static LogEntryProto entry(long index) {
    var content =
        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFromUtf8("e" + index));
    return LogProtoUtils.toLogEntryProto(content.build(), TERM, index);
  }
}
