package dev.wisent.replication.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;

/** Hands on what happens to a running log to those whom it concerns. */
record SessionEvents(
    LeadershipWatch watch,
    LogKeeper keeper,
    CheckpointServer checkpoints,
    LogFaults faults,
    SyncProgress sync,
    Fetch fetch)
    implements LogEvents {
  /** Gets a checkpoint from the leader into a new directory. */
  interface Fetch {
    Path from(RoleInfoProto role) throws IOException;
  }

  @Override
  public void leadBegins() {
    watch.leadBegins();
  }

  @Override
  public void leadEnds() {
    watch.leadEnds();
  }

  @Override
  public void leaderChanged() {
    watch.changed();
  }

  @Override
  public void passed(long bytes) {
    keeper.applied(bytes);
  }

  @Override
  public void applied() {
    faults.applied();
  }

  @Override
  public void cannotApply(RuntimeException why) {
    faults.cannotApply(why);
  }

  @Override
  public void cannotAppend(Throwable why) {
    faults.cannotAppend(why);
  }

  @Override
  public Path fetchCheckpoint(RoleInfoProto role) throws IOException {
    return fetch.from(role);
  }

  @Override
  public void installed(Exception failure) {
    sync.ends(failure);
    if (failure == null) {
      faults.applied();
    }
  }

  @Override
  public CompletableFuture<Message> serve(Message request) {
    return checkpoints.serve(request);
  }
}
