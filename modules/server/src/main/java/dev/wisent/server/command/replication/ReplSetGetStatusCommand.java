package dev.wisent.server.command.replication;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.OpTimes;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.replication.SetStatus;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.diagnostic.ElectionMetrics;
import java.util.Optional;

/** {@code replSetGetStatus}: how the members are, as far as this one knows. */
final class ReplSetGetStatusCommand implements Command {
  private final ReplicaSetControl control;

  ReplSetGetStatusCommand(ReplicaSetControl control) {
    this.control = control;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Optional<Boolean> initialSync = initialSync(request);
    SetStatus status = control.status();
    ReplicaSetConfig config = status.config();
    Clock clock = context.operation().clock();
    reply.appendString("set", config.name());
    reply.appendDate("date", clock.wallMillis());
    reply.appendInt32("myState", status.myState().code());
    reply.appendInt64("term", status.term());
    reply.appendString("syncSourceHost", status.syncSource());
    reply.appendInt32("syncSourceId", status.syncSourceId());
    if (status.maintenance() > 0) {
      reply.appendInt32("maintenanceMode", status.maintenance());
    }
    reply.appendInt64("heartbeatIntervalMillis", config.settings().heartbeatIntervalMillis());
    reply.appendInt32("majorityVoteCount", config.majorityVoteCount());
    reply.appendInt32("writeMajorityCount", config.writeMajorityCount());
    reply.appendInt32("votingMembersCount", config.voterCount());
    reply.appendInt32("writableVotingMembersCount", config.writableVoterCount());
    appendOpTimes(reply, status);
    reply.appendTimestamp("lastStableRecoveryTimestamp", status.applied().timestamp());
    ElectionMetrics.appendLast(reply, status.elections());
    status
        .sync()
        .filter(sync -> initialSync.orElse(sync.report().isUnderWay()))
        .ifPresent(sync -> InitialSyncStatus.append(reply, sync, clock.wallMillis()));
    reply.startArray("members");
    for (int i = 0; i < status.members().size(); i++) {
      reply.startDocument(i);
      appendMember(reply, status.members().get(i));
      reply.end();
    }
    reply.end();
  }

  /**
   * Whether to tell of an initial sync; empty if the client leaves that open. MongoDB then tells of
   * one that is under way.
   */
  private static Optional<Boolean> initialSync(CommandRequest request) {
    Optional<Boolean> asked = Optional.empty();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      if (reader.name().equals("initialSync")) {
        asked = Optional.of(reader.bool());
      }
    }
    return asked;
  }

  /** What is applied is durable and on a majority, so all are the same. */
  private static void appendOpTimes(BsonBuilder out, SetStatus status) {
    OpTime applied = status.applied();
    long wallMillis = status.appliedWallMillis();
    out.startDocument("optimes");
    OpTimes.append(out, "lastCommittedOpTime", applied);
    out.appendDate("lastCommittedWallTime", wallMillis);
    OpTimes.append(out, "readConcernMajorityOpTime", applied);
    OpTimes.append(out, "appliedOpTime", applied);
    OpTimes.append(out, "durableOpTime", applied);
    OpTimes.append(out, "writtenOpTime", applied);
    out.appendDate("lastAppliedWallTime", wallMillis);
    out.appendDate("lastDurableWallTime", wallMillis);
    out.appendDate("lastWrittenWallTime", wallMillis);
    out.end();
  }

  private static void appendMember(BsonBuilder out, SetStatus.Row row) {
    out.appendInt32("_id", row.member().id());
    out.appendString("name", row.member().host());
    out.appendDouble("health", row.healthy() ? 1 : 0);
    out.appendInt32("state", row.state().code());
    out.appendString(
        "stateStr",
        row.state() == MemberState.DOWN ? "(not reachable/healthy)" : row.state().name());
    out.appendInt32("uptime", (int) row.uptimeSeconds());
    if (!row.member().arbiter()) {
      appendPosition(out, row);
    }
    if (!row.self()) {
      appendHeartbeats(out, row.view());
    }
    out.appendString("syncSourceHost", row.syncSource());
    out.appendInt32("syncSourceId", row.syncSourceId());
    out.appendString("infoMessage", row.message());
    if (row.electionTimestamp() != 0) {
      out.appendTimestamp("electionTime", row.electionTimestamp());
      out.appendDate("electionDate", millis(row.electionTimestamp()));
    }
    out.appendInt32("configVersion", row.configVersion());
    out.appendInt64("configTerm", row.configTerm());
    if (row.self()) {
      out.appendBoolean("self", true);
      out.appendString("lastHeartbeatMessage", "");
    }
  }

  private static void appendPosition(BsonBuilder out, SetStatus.Row row) {
    OpTime position = row.applied().equals(OpTime.NONE) ? new OpTime(0, -1) : row.applied();
    long date = millis(position.timestamp());
    OpTimes.append(out, "optime", position);
    if (!row.self()) {
      OpTimes.append(out, "optimeDurable", position);
      OpTimes.append(out, "optimeWritten", position);
    }
    out.appendDate("optimeDate", date);
    if (!row.self()) {
      out.appendDate("optimeDurableDate", date);
      out.appendDate("optimeWrittenDate", date);
    }
    out.appendDate("lastAppliedWallTime", row.appliedWallMillis());
    out.appendDate("lastDurableWallTime", row.appliedWallMillis());
    out.appendDate("lastWrittenWallTime", row.appliedWallMillis());
  }

  private static void appendHeartbeats(BsonBuilder out, MemberView view) {
    out.appendDate("lastHeartbeat", view.askedAtMillis());
    out.appendDate("lastHeartbeatRecv", view.heardAtMillis());
    out.appendInt64("pingMs", view.pingMillis());
    out.appendString("lastHeartbeatMessage", view.message());
  }

  /** The wall time of a cluster time. */
  private static long millis(long timestamp) {
    return (timestamp >>> 32) * 1000;
  }
}
