package dev.wisent.replication.raft;

import dev.wisent.base.CommandException;
import dev.wisent.base.Scheduler;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.replication.raft.LogTarget.Outcome;
import dev.wisent.replication.raft.Peer.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ExitUtils.ExitException;
import org.apache.ratis.util.JavaUtils;
import org.apache.ratis.util.LifeCycle;

/** A Ratis server that runs for one group, and the requests that are made to it. */
final class RatisSession implements LogTarget, AutoCloseable {
  private static final Duration RESIGN_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration HAND_ON_TIMEOUT = Duration.ofSeconds(3);

  private final RaftGroupId group;
  private final RaftPeerId self;
  private final ClientId client;
  private final Scheduler scheduler;
  private final LogStateMachine machine;
  private final RaftServer server;
  private final Parameters parameters;

  /** Of requests that are not entries; those have numbers of their own. */
  private final AtomicLong lastCall = new AtomicLong();

  RatisSession(
      Membership membership,
      RaftProperties properties,
      Parameters parameters,
      LogStateMachine machine,
      Scheduler scheduler)
      throws IOException {
    this.scheduler = scheduler;
    this.machine = machine;
    this.group = RaftGroupId.valueOf(membership.group());
    this.self = RaftPeerId.valueOf(membership.self().id());
    this.client = machine.ownClient();
    this.parameters = parameters;
    Peer peer = membership.self();
    // A listener has to know that it is one before it hears of the others.
    boolean known = membership.first() || peer.role() == Role.LISTENER;
    RaftGroup start =
        known ? RaftGroup.valueOf(group, RatisPeers.toRatis(peer)) : RaftGroup.valueOf(group);
    this.server =
        RaftServer.newBuilder()
            .setServerId(self)
            .setGroup(start)
            .setOption(StartupOption.RECOVER)
            .setStateMachine(machine)
            .setProperties(properties)
            .setParameters(parameters)
            .build();
  }

  void start() throws IOException {
    try {
      server.start();
    } catch (ExitException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(cause.getMessage(), e);
    }
  }

  LogStateMachine machine() {
    return machine;
  }

  /** What the server is built with, and clients of other servers are. */
  Parameters parameters() {
    return parameters;
  }

  RaftServer server() {
    return server;
  }

  RaftGroupId group() {
    return group;
  }

  RaftPeerId self() {
    return self;
  }

  RaftServer.Division division() {
    try {
      return server.getDivision(group);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return !machine.hasLogFailed()
        && !server.getLifeCycleState().isClosingOrClosed()
        && !division().getInfo().getLifeCycleState().isClosingOrClosed()
        && division().getInfo().getLifeCycleState() != LifeCycle.State.EXCEPTION;
  }

  /** The last vote; null before a server that is being started has read it. */
  RaftStorageMetadata vote() {
    LifeCycle.State state = division().getInfo().getLifeCycleState();
    if (state == LifeCycle.State.NEW || state == LifeCycle.State.STARTING) {
      return null;
    }
    try {
      return division().getRaftStorage().getMetadataFile().getMetadata();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The peers that have answered this leader lately. */
  Set<String> answering(Duration lately) {
    Set<String> answering = new HashSet<>();
    RoleInfoProto role = division().getInfo().getRoleInfoProto();
    for (ServerRpcProto each : role.getLeaderInfo().getFollowerInfoList()) {
      if (each.getLastRpcElapsedTimeMs() < lately.toMillis()) {
        answering.add(each.getId().getId().toStringUtf8());
      }
    }
    return answering;
  }

  /** The peers that have answered this leader lately, and itself. */
  Set<String> inTouch(Duration lately) {
    Set<String> inTouch = answering(lately);
    inTouch.add(self().toString());
    return inTouch;
  }

  List<Peer> peers() {
    return RatisPeers.fromRatis(division().getRaftConf());
  }

  AgreedPeers agreedPeers() {
    return RatisPeers.agreed(division().getRaftConf());
  }

  /** Whether the others are known, and this one is not among them. */
  boolean isOutside() {
    List<Peer> peers = peers();
    return !peers.isEmpty() && !RatisPeers.has(peers, self.toString());
  }

  /** A leader sees to its connections itself. */
  void reconnect(String peerId) {
    if (!division().getInfo().isLeader()) {
      var reason = new IOException("It is there again");
      RaftPeerId peer = RaftPeerId.valueOf(peerId);
      scheduler.run("reconnect", () -> server.getServerRpc().handleException(peer, reason, true));
    }
  }

  /** Its own priority, as agreed upon; 0 if it is not among the voters. */
  int priority() {
    return peers().stream()
        .filter(peer -> peer.id().equals(self.toString()) && peer.role() == Role.VOTER)
        .mapToInt(Peer::priority)
        .findFirst()
        .orElse(0);
  }

  @Override
  public CompletableFuture<Outcome> append(long callId, ByteString entry) {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(self)
            .setGroupId(group)
            .setCallId(callId)
            .setMessage(Message.valueOf(entry))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    try {
      return writer()
          .submitClientRequestAsync(request)
          .handle((reply, error) -> error == null ? outcome(reply) : outcome(error));
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.completedFuture(outcome(e));
    }
  }

  /**
   * The server hands each request to a thread of its own and waits for it. The division, which is
   * what that thread asks, can just as well be asked by this one.
   */
  private RaftClientAsynchronousProtocol writer() {
    return division() instanceof RaftClientAsynchronousProtocol direct ? direct : server;
  }

  /**
   * To confirm that it leads, a leader sends heartbeats, and they say what is committed. Who asked
   * for it and is still behind then, because the entry itself has reached it later, gets another.
   */
  @Override
  public void publishCommitIndex() {
    try {
      for (Peer peer : peers()) {
        RaftPeerId asker = RaftPeerId.valueOf(peer.id());
        if (!asker.equals(self)) {
          var unused = server.readIndexAsync(readIndex(asker));
        }
      }
    } catch (IOException | RuntimeException e) {
      // It does not lead any more, or the next heartbeat tells them.
    }
  }

  private ReadIndexRequestProto readIndex(RaftPeerId asker) {
    RaftClientRequest read =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(self)
            .setGroupId(group)
            .setCallId(lastCall.incrementAndGet())
            .setType(RaftClientRequest.readRequestType())
            .build();
    return ReadIndexRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRequestorId(asker.toByteString())
                .setReplyId(self.toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString())))
        .setClientRequest(ClientProtoUtils.toRaftClientRequestProto(read, false))
        .build();
  }

  @Override
  public void resign() {
    scheduler.run(
        "resign",
        () -> {
          try {
            stepDown(RESIGN_TIMEOUT);
          } catch (CommandException e) {
            // It does not lead any more, which is what was asked for.
          }
        });
  }

  private static Outcome outcome(RaftClientReply reply) {
    return reply.isSuccess() ? Outcome.APPLIED : outcome(reply.getException());
  }

  private static Outcome outcome(Throwable error) {
    Throwable cause = JavaUtils.unwrapCompletionException(error);
    boolean refused =
        cause instanceof LeaderSteppingDownException
            || cause instanceof ResourceUnavailableException;
    return refused ? Outcome.REFUSED : Outcome.UNKNOWN;
  }

  void setPeers(List<Peer> peers, Duration timeout) {
    var arguments =
        SetConfigurationRequest.Arguments.newBuilder()
            .setServersInNewConf(RatisPeers.toRatis(peers, Role.VOTER))
            .setListenersInNewConf(RatisPeers.toRatis(peers, Role.LISTENER))
            .setMode(SetConfigurationRequest.Mode.SET_UNCONDITIONALLY)
            .build();
    var request =
        new SetConfigurationRequest(client, self, group, lastCall.incrementAndGet(), arguments);
    RatisRequest.await("change the members", () -> server.setConfigurationAsync(request), timeout);
  }

  /**
   * Hands leadership to a voter. Ratis wants that one to have the highest priority of all, so it
   * gets it if need be; the keeper of the priorities sets it right later.
   */
  void handOver(String target, Duration timeout) {
    List<Peer> peers = peers();
    int highest = peers.stream().mapToInt(Peer::priority).max().orElse(0);
    List<Peer> raised = new ArrayList<>();
    for (Peer peer : peers) {
      boolean raise = peer.id().equals(target) && peer.priority() < highest;
      raised.add(raise ? new Peer(peer.id(), peer.address(), highest + 1, peer.role()) : peer);
    }
    if (!raised.equals(peers)) {
      setPeers(raised, timeout);
    }
    transfer(RaftPeerId.valueOf(target), timeout);
  }

  /** Hands leadership to a peer that can have it at once, if one answers. */
  void handOn(Duration lately) {
    Set<String> answering = answering(lately);
    Optional<Peer> next =
        peers().stream()
            .filter(peer -> peer.role() == Role.VOTER && peer.priority() > 0)
            .filter(peer -> answering.contains(peer.id()))
            .max(Comparator.comparingInt(Peer::priority));
    try {
      if (next.isPresent()) {
        handOver(next.get().id(), HAND_ON_TIMEOUT);
      }
    } catch (CommandException e) {
      // Then the others elect a leader.
    }
  }

  /** Gives up leadership. */
  void stepDown(Duration timeout) {
    transfer(null, timeout);
  }

  private void transfer(RaftPeerId peer, Duration timeout) {
    var request =
        new TransferLeadershipRequest(
            client, self, group, lastCall.incrementAndGet(), peer, timeout.toMillis());
    RatisRequest.await(
        "hand over leadership", () -> server.transferLeadershipAsync(request), timeout);
  }

  void pauseElections(boolean pause) {
    long call = lastCall.incrementAndGet();
    var request =
        pause
            ? LeaderElectionManagementRequest.newPause(client, self, group, call)
            : LeaderElectionManagementRequest.newResume(client, self, group, call);
    RatisRequest.await(
        "change who stands for election",
        () -> server.leaderElectionManagementAsync(request),
        Duration.ofSeconds(10));
  }

  @Override
  public void close() {
    // Or the end of the server would wait for an entry that is not to be applied yet.
    machine.stop();
    try (var watch = EvictionDeadlock.watch(scheduler)) {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      // The server does not wait for a checkpoint that is just being installed.
      machine.awaitWritten();
    }
  }
}
