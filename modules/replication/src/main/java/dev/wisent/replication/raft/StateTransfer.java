package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;

/**
 * What a node gets from its leader beside the log, and gives to others.
 *
 * @param session the one that runs; another one after the log was started again
 */
record StateTransfer(
    SessionSource sessions,
    Supplier<RatisSession> session,
    CheckpointServer checkpoints,
    SyncProgress sync) {
  /** Gets a checkpoint from the leader into a new directory. */
  Path fetchCheckpoint(RoleInfoProto role) throws IOException {
    return sessions.fetchCheckpoint(session.get(), role, sync);
  }

  /** Asks the leader whether data at a position is a state of its log, as {@link PositionProof}. */
  OptionalLong prove(RoleInfoProto role, LogPosition position) throws IOException {
    return sessions.prove(session.get(), role, position);
  }

  /** Answers another node. */
  CompletableFuture<Message> serve(Message request) {
    return CheckpointRequest.asksForProof(request)
        ? CompletableFuture.completedFuture(
            PositionProof.answer(session.get().division(), CheckpointRequest.decode(request)))
        : checkpoints.serve(request);
  }
}
