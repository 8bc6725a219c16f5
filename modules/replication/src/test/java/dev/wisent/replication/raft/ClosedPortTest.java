package dev.wisent.replication.raft;

import static dev.wisent.replication.raft.TestCluster.LONG;
import static dev.wisent.replication.raft.TestCluster.STEADY;
import static dev.wisent.replication.raft.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.raft.LogCaller.Answer;
import dev.wisent.replication.secret.LogKeys;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.replication.secret.MemberProof;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are not members of a set, and members, at the port of its log. */
class ClosedPortTest {
  @TempDir Path directory;

  /** Tries everything, with requests that would work for a member. */
  private static List<Answer> tryEverything(LogCaller caller, TestCluster cluster, TestNode node) {
    List<Answer> answers = new ArrayList<>();
    for (MethodDescriptor<?, ?> method : LogCaller.methods()) {
      answers.add(caller.callEmpty(method));
    }
    for (RaftClientRequestProto request :
        List.of(
            request(cluster.group, node, RaftClientRequest.staleReadRequestType(0)),
            request(cluster.group, node, RaftClientRequest.readRequestType()),
            request(cluster.group, node, RaftClientRequest.writeRequestType()))) {
      answers.add(caller.call(RaftClientProtocolServiceGrpc.getUnorderedMethod(), request));
      answers.add(caller.call(RaftClientProtocolServiceGrpc.getOrderedMethod(), request));
    }
    answers.add(
        caller.call(RaftServerProtocolServiceGrpc.getRequestVoteMethod(), vote(cluster, node)));
    return answers;
  }

  private static RaftClientRequestProto request(
      UUID group, TestNode node, RaftClientRequest.Type type) {
    RaftPeerId peer = RaftPeerId.valueOf(node.id);
    return ClientProtoUtils.toRaftClientRequestProto(
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(peer)
            .setGroupId(RaftGroupId.valueOf(group))
            .setCallId(1)
            .setMessage(CheckpointRequest.make(true, peer).encode())
            .setType(type)
            .build());
  }

  private static RequestVoteRequestProto vote(TestCluster cluster, TestNode node) {
    return RequestVoteRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("n2").toByteString())
                .setReplyId(RaftPeerId.valueOf(node.id).toByteString())
                .setRaftGroupId(
                    RaftGroupIdProto.newBuilder()
                        .setId(RaftGroupId.valueOf(cluster.group).toByteString())))
        .setCandidateTerm(1_000)
        .setCandidateLastEntry(TermIndexProto.newBuilder().setTerm(1_000).setIndex(1_000_000))
        .build();
  }

  @Test
  void outsidersGetNothingAndChangeNothing() throws IOException {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      TestNode leader = cluster.leader();
      leader.put("a", "1").awaitApplied();
      cluster.awaitEqual();
      var foreign = new MemberProof(cluster.group, LogSecret.create(true), LogKeys.NONE);
      var otherGroup = new MemberProof(UUID.randomUUID(), cluster.secret(), LogKeys.NONE);
      var none = new MemberProof(cluster.group, null, LogKeys.NONE);
      for (TestNode node : cluster.nodes()) {
        String address = node.raft.address();
        for (LogCaller caller :
            List.of(
                LogCaller.plain(address),
                LogCaller.withoutCertificate(address),
                LogCaller.showing(foreign, address),
                LogCaller.showing(none, address),
                LogCaller.showing(otherGroup, address))) {
          try (caller) {
            assertThat(tryEverything(caller, cluster, node))
                .extracting(Answer::status)
                .containsOnly(Status.Code.UNAVAILABLE);
          }
        }
        Path served = directory.resolve(node.id).resolve("raft/served");
        assertThat(served.toFile().list()).isNullOrEmpty();
      }
      assertUnchanged(cluster, leader);
    }
  }

  private static void assertUnchanged(TestCluster cluster, TestNode leader) {
    assertThat(cluster.leader()).isSameAs(leader);
    assertThat(leader.raft.leadership().term()).isEqualTo(1);
    assertThat(leader.raft.peers()).hasSize(2);
    leader.put("a", "2").awaitApplied();
    cluster.awaitEqual();
  }

  @Test
  void membersGetNothingButWhatTheyNeed() throws IOException {
    try (TestCluster cluster = TestCluster.of(2, directory, STEADY)) {
      TestNode leader = cluster.leader();
      var proof = new MemberProof(cluster.group, cluster.secret(), LogKeys.NONE);
      Set<String> used =
          Set.of("requestVote", "startLeaderElection", "appendEntries", "installSnapshot");
      try (LogCaller member = LogCaller.member(proof, leader.raft.address())) {
        for (MethodDescriptor<?, ?> method : LogCaller.methods()) {
          if (!used.contains(method.getBareMethodName())) {
            assertThat(member.callEmpty(method).status())
                .as(method.getFullMethodName())
                .isEqualTo(Status.Code.PERMISSION_DENIED);
          }
        }
        var unordered = RaftClientProtocolServiceGrpc.getUnorderedMethod();
        var ordered = RaftClientProtocolServiceGrpc.getOrderedMethod();
        for (var type :
            List.of(RaftClientRequest.readRequestType(), RaftClientRequest.writeRequestType())) {
          RaftClientRequestProto request = request(cluster.group, leader, type);
          assertThat(member.call(unordered, request).status())
              .isEqualTo(Status.Code.PERMISSION_DENIED);
          assertThat(member.call(ordered, request).status())
              .isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        var read = RaftClientRequest.staleReadRequestType(0);
        assertThat(success(member.call(unordered, request(cluster.group, leader, read)))).isTrue();
        assertThat(success(member.call(unordered, request(UUID.randomUUID(), leader, read))))
            .isFalse();
      }
      assertUnchanged(cluster, leader);
    }
  }

  private static boolean success(Answer answer) {
    return answer.message() instanceof RaftClientReplyProto reply
        && reply.getRpcReply().getSuccess();
  }

  @Test
  void connectionsThatDoNotProveThemselvesAreFew() throws IOException {
    try (TestCluster cluster = TestCluster.of(1, directory, STEADY)) {
      TestNode leader = cluster.leader();
      int port = Integer.parseInt(leader.raft.address().split(":")[1]);
      List<Socket> silent = new ArrayList<>();
      try {
        for (int i = 0; i < UnprovenConnections.PER_ADDRESS_MAX; i++) {
          silent.add(new Socket("127.0.0.1", port));
        }
        try (Socket more = new Socket("127.0.0.1", port)) {
          more.setSoTimeout((int) LONG.toMillis());
          assertThat(more.getInputStream().read()).isEqualTo(-1);
        }
        leader.put("a", "1").awaitApplied();
      } finally {
        for (Socket socket : silent) {
          socket.close();
        }
      }
      var proof = new MemberProof(cluster.group, cluster.secret(), LogKeys.NONE);
      RaftClientRequestProto request =
          request(cluster.group, leader, RaftClientRequest.staleReadRequestType(0));
      await(
          "members are served again",
          () -> {
            try (LogCaller member = LogCaller.member(proof, leader.raft.address())) {
              return success(
                  member.call(RaftClientProtocolServiceGrpc.getUnorderedMethod(), request));
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  @Test
  void theSecretStaysInAFileOfItsOwn() throws IOException {
    try (TestCluster cluster = TestCluster.of(1, directory, STEADY)) {
      LogSecret secret = cluster.secret();
      Path file = directory.resolve("n1/raft/secret");
      assertThat(Files.getPosixFilePermissions(file))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
      cluster.stop("n1");
      TestNode again = cluster.start("n1");
      cluster.leader();
      assertThat(again.raft.secret()).hasValueSatisfying(kept -> kept.isSame(secret));
      again.raft.leave();
      assertThat(file).doesNotExist();
      assertThat(again.raft.secret()).isEmpty();
    }
  }

  private static List<byte[]> keys(String... keys) {
    return List.of(keys).stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
  }

  @Test
  @Tag("faults")
  void keysChangeOneMemberAtATime() {
    var keys = new AtomicReference<>(keys("old"));
    try (TestCluster cluster =
        TestCluster.of(
            3,
            directory,
            options -> {
              List<byte[]> now = keys.get();
              return options.withKeys(() -> now);
            })) {
      int writes = 0;
      for (List<byte[]> next : List.of(keys("old", "new"), keys("new"))) {
        keys.set(next);
        for (String id : List.of("n1", "n2", "n3")) {
          cluster.stop(id);
          cluster.start(id);
          cluster.leader().put("a" + writes++, "1").awaitApplied();
          cluster.awaitEqual();
        }
      }
      keys.set(keys("wrong"));
      cluster.stop("n3");
      TestNode wrong = cluster.start("n3");
      TestNode leader = cluster.leader();
      leader.put("last", "1").awaitApplied();
      assertThat(wrong.get("last")).isNull();
      assertThat(leader.raft.inTouch()).isNotEmpty();
      cluster.stop("n3");
      keys.set(keys("new"));
      cluster.start("n3");
      cluster.awaitEqual();
    }
  }

  /** As an older version has made it: none of its members has a secret. */
  private TestCluster openCluster() throws IOException {
    var cluster = new TestCluster(directory, STEADY);
    TestNode first = cluster.start("n1");
    first.raft.begin(cluster.group, first.peer());
    cluster.stop("n1");
    Files.delete(directory.resolve("n1/raft/secret"));
    TestNode leader = cluster.start("n1");
    cluster.leader();
    TestNode second = cluster.start("n2");
    second.raft.join(cluster.group, second.peer(), null);
    leader.raft.setPeers(cluster.peers(), LONG);
    return cluster;
  }

  private static RaftClientRequestProto read(TestCluster cluster, TestNode node) {
    return request(cluster.group, node, RaftClientRequest.staleReadRequestType(0));
  }

  @Test
  void anOpenPortServesLittleAndIsClosedWithoutARestartOfTheProcess() throws IOException {
    var unordered = RaftClientProtocolServiceGrpc.getUnorderedMethod();
    try (TestCluster cluster = openCluster()) {
      cluster.leader().put("a", "1").awaitApplied();
      TestNode node = cluster.leader();
      try (LogCaller caller = LogCaller.plain(node.raft.address())) {
        assertThat(success(caller.call(unordered, read(cluster, node)))).isTrue();
        for (MethodDescriptor<?, ?> method : LogCaller.methods()) {
          if (method.getServiceName().contains("Admin")) {
            assertThat(caller.callEmpty(method).status()).isEqualTo(Status.Code.PERMISSION_DENIED);
          }
        }
      }
      LogSecret secret = LogSecret.create(false);
      cluster.nodes().forEach(each -> each.raft.keep(secret));
      cluster.leader().put("b", "1").awaitApplied();
      cluster.nodes().forEach(each -> each.raft.keep(secret.inForce()));
      cluster.leader().put("c", "1").awaitApplied();
      cluster.awaitEqual();
      for (TestNode each : cluster.nodes()) {
        each.raft.keep(LogSecret.create(true));
        assertThat(each.raft.secret().orElseThrow().isSame(secret)).isTrue();
        try (LogCaller caller = LogCaller.plain(each.raft.address())) {
          assertThat(caller.call(unordered, read(cluster, each)).status())
              .isEqualTo(Status.Code.UNAVAILABLE);
        }
      }
    }
  }
}
