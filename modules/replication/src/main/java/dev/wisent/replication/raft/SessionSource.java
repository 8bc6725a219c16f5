package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.GroupFile.Membership;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupMemberId;

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
    Scheduler scheduler,
    Log log) {

  /** What a log is applied to, as far as it was before. */
  LogStateMachine machine(Membership entered, LogEvents events) throws IOException {
    TornTail.cut(files.log(), log);
    new MetadataFiles(files.log(), entered, log).repair(applier.applied().term());
    var machine =
        new LogStateMachine(
            applier, commits, clusterClock, ClientId.randomId(), events, hold, scheduler, log);
    machine.replay(new LogReplay(files.log(), entered.group(), RatisSettings.ENTRY));
    return machine;
  }

  /** A server, which is not started yet. */
  RatisSession session(Membership entered, LogStateMachine machine, BooleanSupplier standsBack)
      throws IOException {
    var parameters = access.parameters(entered.group(), standsBack);
    return new RatisSession(entered, properties, parameters, machine, scheduler);
  }

  /** Gets a checkpoint from the leader that a follower has been told of. */
  Path fetchCheckpoint(RatisSession session, RoleInfoProto role, SyncProgress sync)
      throws IOException {
    var self = RaftGroupMemberId.valueOf(session.self(), session.group());
    return new CheckpointFetch(properties, session.parameters(), self, sync)
        .fetch(role, files.fetched(), applier.keepsData());
  }
}
