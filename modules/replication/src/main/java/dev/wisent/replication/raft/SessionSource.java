package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.GroupFile.Membership;
import dev.wisent.storage.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;

/**
 * Makes the servers by which a node takes part in its group, one after the other, over the same
 * files. Guarded by the node, but for fetching.
 */
record SessionSource(
    RaftFiles files,
    RaftProperties properties,
    LogApplier applier,
    RaftCommitLog commits,
    ClusterClock clusterClock,
    LogAccess access,
    ApplyHold hold,
    Seed seed,
    Scheduler scheduler,
    Log log) {

  /** What a log is applied to, as far as it was before. */
  LogStateMachine machine(Membership entered, LogEvents events) throws IOException {
    TornTail.cut(files.log(), log);
    new MetadataFiles(files.log(), entered, log).repair(applier.applied().term());
    var machine =
        new LogStateMachine(
            applier,
            commits,
            clusterClock,
            ClientId.randomId(),
            events,
            hold,
            seed,
            scheduler,
            log);
    machine.replay(new LogReplay(files.log(), entered.group(), RatisSettings.ENTRY));
    return machine;
  }

  /** A server, which is not started yet. */
  RatisSession session(Membership entered, LogStateMachine machine, BooleanSupplier standsBack)
      throws IOException {
    var parameters = access.parameters(entered.group(), standsBack, () -> !machine.isRecovered());
    return new RatisSession(entered, properties, parameters, machine, scheduler);
  }

  /** Gets a checkpoint from the leader that a follower has been told of. */
  Path fetchCheckpoint(RatisSession session, RoleInfoProto role, SyncProgress sync)
      throws IOException {
    try (LeaderClient leader = leader(session, role)) {
      return new CheckpointFetch(leader, session.self(), sync)
          .fetch(files.fetched(), applier.keepsData());
    }
  }

  /** Asks that leader whether the data here is a state of its log. */
  OptionalLong prove(RatisSession session, RoleInfoProto role, LogPosition position)
      throws IOException {
    try (LeaderClient leader = leader(session, role)) {
      long newest = applier.newest().timestamp();
      return PositionProof.read(leader.ask(CheckpointRequest.prove(position, newest)));
    }
  }

  private LeaderClient leader(RatisSession session, RoleInfoProto role) {
    return new LeaderClient(properties, session.parameters(), session.group(), role);
  }
}
