package dev.wisent.replication.raft;

import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;

/** Hands on what happens to a running log to those whom it concerns. */
record SessionEvents(
    LeadershipWatch watch, LogKeeper keeper, LogFaults faults, StateTransfer transfer)
    implements LogEvents {
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
    return transfer.fetchCheckpoint(role);
  }

  @Override
  public OptionalLong prove(RoleInfoProto role, LogPosition position) throws IOException {
    return transfer.prove(role, position);
  }

  @Override
  public void installed(Exception failure) {
    transfer.sync().ends(failure);
    if (failure == null) {
      faults.applied();
    }
  }

  @Override
  public CompletableFuture<Message> serve(Message request) {
    return transfer.serve(request);
  }
}
