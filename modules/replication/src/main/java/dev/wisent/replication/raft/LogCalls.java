package dev.wisent.replication.raft;

import java.util.Set;
import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Lets calls pass that members make of each other, and no other. Ratis also serves clients, who
 * could write anything, and administrators, who could make a group of their own: a node asks its
 * own server for all that, within the process.
 */
final class LogCalls implements ServerInterceptor {
  private static final String CHECKPOINT =
      RaftClientProtocolServiceGrpc.getUnorderedMethod().getFullMethodName();

  private static final Set<String> SERVED =
      Set.of(
          RaftServerProtocolServiceGrpc.getRequestVoteMethod().getFullMethodName(),
          RaftServerProtocolServiceGrpc.getStartLeaderElectionMethod().getFullMethodName(),
          RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName(),
          RaftServerProtocolServiceGrpc.getInstallSnapshotMethod().getFullMethodName(),
          CHECKPOINT);

  private final Predicate<ServerCall<?, ?>> member;

  /**
   * Calls of members.
   *
   * @param member whether a call comes from one
   */
  LogCalls(Predicate<ServerCall<?, ?>> member) {
    this.member = member;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!member.test(call)) {
      return refused(call, Status.UNAUTHENTICATED);
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    if (!SERVED.contains(method)) {
      return refused(call, Status.PERMISSION_DENIED);
    }
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    return method.equals(CHECKPOINT) ? new StaleReads<>(call, listener) : listener;
  }

  private static <Q> ServerCall.Listener<Q> refused(ServerCall<Q, ?> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /** Of what clients ask for, members need only that by which they get checkpoints. */
  private static final class StaleReads<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean refused; // of the call, which has one thread at a time

    StaleReads(ServerCall<Q, ?> call, ServerCall.Listener<Q> listener) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      boolean served = message instanceof RaftClientRequestProto request && request.hasStaleRead();
      if (served && !refused) {
        super.onMessage(message);
      } else if (!refused) {
        refused = true;
        call.close(Status.PERMISSION_DENIED, new Metadata());
      }
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }
}
