package dev.wisent.replication.raft;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServer.Division;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.ProtoUtils;

/**
 * gRPC between the servers of a group, with two additions. A node that has not applied what it has
 * to declines leadership that another node hands to it: it could not lead before that. And a node
 * that does not stand for election also votes for candidates with a lower priority. Ratis lets a
 * voter refuse a candidate with an equal log and a lower priority, which is a veto, because such a
 * voter stands itself soon. One that is frozen does not, and the group would have no leader until
 * it does.
 *
 * <p>The only way to have Ratis disregard the priorities is a candidate whose log is newer. So the
 * request claims one entry more than the candidate has, if its log equals ours at that moment. Our
 * log may grow by an entry before Ratis compares the logs: they are equal then or ours is newer,
 * and Ratis refuses, since the configuration does not change while its lock is held. So a vote is
 * never given to a candidate that lacks an entry of this node.
 *
 * <p>Ratis makes an instance by the name of the class.
 */
public final class YieldingVotes implements RpcType {
  private static final String STANDS_BACK = YieldingVotes.class.getName();
  private static final String BEHIND = STANDS_BACK + ".behind";

  /**
   * What a server of this type is built with.
   *
   * @param standsBack whether the node does not stand for election
   * @param behind whether the node has not applied what it has to
   */
  static Parameters parameters(BooleanSupplier standsBack, BooleanSupplier behind) {
    var parameters = new Parameters();
    parameters.put(STANDS_BACK, standsBack, BooleanSupplier.class);
    parameters.put(BEHIND, behind, BooleanSupplier.class);
    return parameters;
  }

  @Override
  public String name() {
    return getClass().getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    boolean server = parameters != null && standsBack(parameters) != null;
    return server ? new Factory(parameters) : new GrpcFactory(parameters);
  }

  /**
   * A server as the others of its group call it.
   *
   * @param parameters what the server is built with
   */
  static RaftServer of(RaftServer server, Parameters parameters) {
    BooleanSupplier standsBack = standsBack(parameters);
    BooleanSupplier behind = parameters.get(BEHIND, BooleanSupplier.class);
    return (RaftServer)
        Proxy.newProxyInstance(
            RaftServer.class.getClassLoader(),
            new Class<?>[] {RaftServer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("startLeaderElection") && behind.getAsBoolean()) {
                throw new IOException("The node has not applied its log yet");
              }
              try {
                return method.getName().equals("requestVote") && standsBack.getAsBoolean()
                    ? vote(server, (RequestVoteRequestProto) arguments[0])
                    : method.invoke(server, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static BooleanSupplier standsBack(Parameters parameters) {
    return parameters.get(STANDS_BACK, BooleanSupplier.class);
  }

  private static final class Factory extends GrpcFactory {
    private final Parameters parameters;

    Factory(Parameters parameters) {
      super(parameters);
      this.parameters = parameters;
    }

    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
      return super.newRaftServerRpc(of(server, parameters));
    }
  }

  private static Object vote(RaftServer server, RequestVoteRequestProto request) throws Exception {
    Division division =
        server.getDivision(ProtoUtils.toRaftGroupId(request.getServerRequest().getRaftGroupId()));
    synchronized (division) { // which is what Ratis does when it votes and changes configurations
      return server.requestVote(
          isPreferredTo(candidate(request), division) && hasEqualLog(request, division)
              ? withOneMoreEntry(request)
              : request);
    }
  }

  private static RaftPeerId candidate(RequestVoteRequestProto request) {
    return RaftPeerId.valueOf(request.getServerRequest().getRequestorId());
  }

  private static boolean isPreferredTo(RaftPeerId candidate, Division division) {
    RaftPeer self = division.getRaftConf().getPeer(division.getId());
    RaftPeer other = division.getRaftConf().getPeer(candidate);
    return self != null && other != null && self.getPriority() > other.getPriority();
  }

  private static boolean hasEqualLog(RequestVoteRequestProto request, Division division) {
    TermIndex last = division.getRaftLog().getLastEntryTermIndex();
    if (last == null) {
      SnapshotInfo snapshot = division.getStateMachine().getLatestSnapshot();
      last = snapshot == null ? null : snapshot.getTermIndex();
    }
    return TermIndex.valueOf(request.getCandidateLastEntry()).equals(last);
  }

  private static RequestVoteRequestProto withOneMoreEntry(RequestVoteRequestProto request) {
    TermIndexProto last = request.getCandidateLastEntry();
    return request.toBuilder()
        .setCandidateLastEntry(last.toBuilder().setIndex(last.getIndex() + 1))
        .build();
  }
}
