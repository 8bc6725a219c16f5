package dev.wisent.replication.raft;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.util.ConcurrentUtils;
import org.apache.ratis.util.Daemon;
import org.apache.ratis.util.IOUtils;
import org.apache.ratis.util.TimeDuration;

/**
 * What a server of a log calls the others of its process with, and they call it with. A call runs
 * on a thread of the server that is called: its caller waits for the answer no longer than for one
 * from a network, and never for a lock of the other server.
 */
final class InProcessServer implements RaftServerRpc {
  /** A call to a server. */
  @FunctionalInterface
  interface Call<T> {
    CompletableFuture<T> on(RaftServer server) throws IOException;
  }

  /** A call whose answer the server returns. */
  @FunctionalInterface
  private interface BlockingCall<T> {
    T on(RaftServer server) throws IOException;
  }

  private final RpcType type;
  private final InProcessPeers peers;

  /** Has no id before it is built. */
  private final RaftServer server;

  private final TimeDuration timeout;
  private final ExecutorService threads =
      ConcurrentUtils.newCachedThreadPool(
          0, call -> Daemon.newBuilder().setName("log-call").setRunnable(call).build());

  InProcessServer(RpcType type, InProcessPeers peers, RaftServer server, TimeDuration timeout) {
    this.type = type;
    this.peers = peers;
    this.server = server;
    this.timeout = timeout;
  }

  /** Calls another server, and does not wait for it. */
  <T> CompletableFuture<T> call(RaftPeerId peer, Call<T> call) {
    try {
      return peers.server(peer).answer(call);
    } catch (ConnectException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Has this server answer a call of another one, or of a client. */
  <T> CompletableFuture<T> answer(Call<T> call) {
    var answer = new CompletableFuture<T>();
    try {
      threads.execute(() -> run(call, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new ConnectException("The log is closed"));
    }
    return answer;
  }

  private <T> void run(Call<T> call, CompletableFuture<T> answer) {
    try {
      var unused =
          call.on(server)
              .whenComplete(
                  (reply, error) -> {
                    if (error == null) {
                      answer.complete(reply);
                    } else {
                      answer.completeExceptionally(error);
                    }
                  });
    } catch (IOException | RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  /** Waits for an answer as for one from a network. */
  static <T> T await(CompletableFuture<T> answer, TimeDuration timeout) throws IOException {
    try {
      return answer.get(timeout.toLong(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for another log");
    } catch (ExecutionException e) {
      throw IOUtils.asIOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("The other log did not answer within " + timeout, e);
    }
  }

  private <T> T ask(RaftRpcRequestProto request, BlockingCall<T> call) throws IOException {
    RaftPeerId peer = RaftPeerId.valueOf(request.getReplyId());
    return await(call(peer, other -> CompletableFuture.completedFuture(call.on(other))), timeout);
  }

  @Override
  public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
    return ask(request.getServerRequest(), other -> other.requestVote(request));
  }

  @Override
  public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
      throws IOException {
    return ask(request.getServerRequest(), other -> other.startLeaderElection(request));
  }

  @Override
  public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
      throws IOException {
    return ask(request.getServerRequest(), other -> other.appendEntries(request));
  }

  @Override
  public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
      throws IOException {
    return ask(request.getServerRequest(), other -> other.installSnapshot(request));
  }

  @Override
  public void start() {
    peers.started(server.getId(), this);
  }

  /** Calls that run are not waited for: they may wait for other servers that are closed, too. */
  @Override
  public void close() {
    peers.closed(server.getId(), this);
    threads.shutdown();
  }

  /** There is none; it is only shown. */
  @Override
  public InetSocketAddress getInetSocketAddress() {
    return InetSocketAddress.createUnresolved("in-process", 0);
  }

  @Override
  public void addRaftPeers(Collection<RaftPeer> added) {
    // They are found when they are called.
  }

  @Override
  public void handleException(RaftPeerId peer, Exception e, boolean reconnect) {
    // There is no connection that could be broken.
  }

  @Override
  public void notifyNotLeader(RaftGroupId group) {
    // No client has a stream of requests.
  }

  @Override
  public RpcType getRpcType() {
    return type;
  }
}
