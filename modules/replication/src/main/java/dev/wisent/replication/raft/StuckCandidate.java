package dev.wisent.replication.raft;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.server.DivisionInfo;

/**
 * A follower that missed its leader while elections were paused has become a candidate that never
 * asked for votes, and Ratis does not begin to when the pause is over. A request for its vote in
 * the next term, from a candidate that cannot win because its log is empty, makes it a follower
 * again, which then stands as usual.
 */
final class StuckCandidate {
  private StuckCandidate() {}

  static void release(RatisSession session) {
    DivisionInfo info = session.division().getInfo();
    if (!info.isCandidate()) {
      return;
    }
    var rpc =
        RaftRpcRequestProto.newBuilder()
            .setRequestorId(session.self().toByteString())
            .setReplyId(session.self().toByteString())
            .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(session.group().toByteString()));
    var request =
        RequestVoteRequestProto.newBuilder()
            .setServerRequest(rpc)
            .setCandidateTerm(info.getCurrentTerm() + 1)
            .setCandidateLastEntry(TermIndexProto.getDefaultInstance())
            .setPreVote(false)
            .build();
    try {
      session.server().requestVote(request);
    } catch (IOException e) {
      // It is a follower all the same. If it cannot write its vote, that is seen when it stands.
    }
  }
}
