package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.SetStatus;
import dev.wisent.replication.SyncReport;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Gathers what {@code replSetGetStatus} tells. */
final class StatusReport {
  private final MemberSetup setup;
  private final ConfigStore configs;
  private final Role role;
  private final OtherMembers others;
  private final AppliedOpTime applied;
  private final Elections elections;
  private final MemberJoin joining;
  private final long startNanos;

  StatusReport(
      MemberSetup setup,
      ConfigStore configs,
      Role role,
      OtherMembers others,
      AppliedOpTime applied,
      Elections elections,
      MemberJoin joining) {
    this.setup = setup;
    this.configs = configs;
    this.role = role;
    this.others = others;
    this.applied = applied;
    this.elections = elections;
    this.joining = joining;
    this.startNanos = setup.clock().monotonicNanos();
  }

  SetStatus status() {
    ReplicaSetConfig config = config();
    if (role.state() == MemberState.REMOVED) {
      throw new CommandException(
          ErrorCode.INVALID_REPLICA_SET_CONFIG,
          "Our replica set config is invalid or we are not a member of it");
    }
    if (config == null) {
      throw new CommandException(
          ErrorCode.NOT_YET_INITIALIZED, "no replset config has been received");
    }
    int selfId = setup.raft().id().map(PeerIds::memberId).orElse(-1);
    var rows = new ArrayList<SetStatus.Row>();
    for (MemberConfig member : config.members()) {
      rows.add(member.id() == selfId ? self(config, member) : other(config, member));
    }
    String source = syncSource();
    return new SetStatus(
        config,
        role.state(),
        setup.raft().leadership().term(),
        source,
        idOf(config, source),
        role.maintenance(),
        applied.opTime(),
        applied.wallMillis(),
        elections.report(),
        setup
            .raft()
            .sync()
            .map(report -> new SetStatus.InitialSync(report, sources(config, report))),
        rows);
  }

  /** What the log has brought; or what a new member was told, before the log has brought any. */
  private ReplicaSetConfig config() {
    ReplicaSetConfig known = configs.current();
    return known == null && role.state() == MemberState.STARTUP2 ? joining.joinedWith() : known;
  }

  private static Map<String, String> sources(ReplicaSetConfig config, SyncReport report) {
    Map<String, String> sources = new HashMap<>();
    for (SyncReport.Attempt attempt : report.attempts()) {
      config
          .member(PeerIds.memberId(attempt.sourceId()))
          .ifPresent(member -> sources.put(attempt.sourceId(), member.host()));
    }
    return sources;
  }

  /** Whom this member gets the log from: the primary. */
  String syncSource() {
    String primary = role.primary();
    return role.primaryTerm() != null || primary == null ? "" : primary;
  }

  private static int idOf(ReplicaSetConfig config, String host) {
    return config.memberAt(host).map(MemberConfig::id).orElse(-1);
  }

  private SetStatus.Row self(ReplicaSetConfig config, MemberConfig member) {
    Role.PrimaryTerm primaryTerm = role.primaryTerm();
    String source = syncSource();
    return new SetStatus.Row(
        member,
        true,
        role.state(),
        true,
        TimeUnit.NANOSECONDS.toSeconds(setup.clock().monotonicNanos() - startNanos),
        applied.opTime(),
        applied.wallMillis(),
        primaryTerm == null ? 0 : primaryTerm.electionTimestamp(),
        source,
        idOf(config, source),
        config.version(),
        config.term(),
        setup.raft().fault().orElse(""),
        MemberView.UNKNOWN);
  }

  private SetStatus.Row other(ReplicaSetConfig config, MemberConfig member) {
    MemberView view = others.view(member.id());
    Heartbeat.Response answer = view.answer();
    boolean up = view.isUp();
    long uptimeNanos = up ? setup.clock().monotonicNanos() - view.upSinceNanos() : 0;
    String source = up ? answer.syncSource() : "";
    return new SetStatus.Row(
        member,
        false,
        view.state(),
        up,
        TimeUnit.NANOSECONDS.toSeconds(uptimeNanos),
        up ? view.applied() : OpTime.NONE,
        up ? answer.appliedWallMillis() : 0,
        up && view.state() == MemberState.PRIMARY ? answer.electionTimestamp() : 0,
        source,
        idOf(config, source),
        answer == null ? -2 : answer.configVersion(),
        answer == null ? -1 : answer.configTerm(),
        "",
        view);
  }
}
