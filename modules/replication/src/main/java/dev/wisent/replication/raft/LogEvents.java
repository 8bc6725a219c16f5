package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;

/** What happens to this node's role. Called by Ratis' threads, with its locks held: be short. */
interface LogEvents {
  void leadBegins();

  void leadEnds();

  void leaderChanged();

  /** An entry of this size is done with. */
  void passed(long bytes);

  /** An entry is in the store. */
  void applied();

  /** An entry could not be applied, and the log ends with that. */
  void cannotApply(RuntimeException why);

  /** An entry could not be written to the log, which takes no more. */
  void cannotAppend(Throwable why);

  /** Gets a checkpoint from the leader into a new directory. */
  Path fetchCheckpoint(RoleInfoProto role) throws IOException;

  /**
   * Asks the leader whether data at a position is a state of its log.
   *
   * @return up to where the log is committed; empty if it is none
   * @throws IOException if the leader does not answer, or does not know yet
   */
  OptionalLong prove(RoleInfoProto role, LogPosition position) throws IOException;

  /**
   * The store has the contents of a checkpoint.
   *
   * @param failure why it has not; else null
   */
  void installed(Exception failure);

  /** Answers a request of another node. */
  CompletableFuture<Message> serve(Message request);
}
