package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.file.Path;
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
   * The store has the contents of a checkpoint.
   *
   * @param failure why it has not; else null
   */
  void installed(Exception failure);

  /** Answers a request of another node for parts of a checkpoint. */
  CompletableFuture<Message> serve(Message request);
}
