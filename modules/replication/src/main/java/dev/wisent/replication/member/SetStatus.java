package dev.wisent.replication.member;

import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.List;

/**
 * Everything that {@code replSetGetStatus} tells.
 *
 * @param syncSource whom this member follows; empty for a primary
 */
public record SetStatus(
    ReplicaSetConfig config,
    MemberState myState,
    long term,
    String syncSource,
    int syncSourceId,
    int maintenance,
    OpTime applied,
    long appliedWallMillis,
    ElectionReport elections,
    List<Row> members) {
  /**
   * A member.
   *
   * @param self whether it is this one; its view has only what is known of oneself
   * @param electionTimestamp 0 unless it is primary
   * @param configVersion the configuration that it has
   */
  public record Row(
      MemberConfig member,
      boolean self,
      MemberState state,
      boolean healthy,
      long uptimeSeconds,
      OpTime applied,
      long appliedWallMillis,
      long electionTimestamp,
      String syncSource,
      int syncSourceId,
      int configVersion,
      long configTerm,
      MemberView view) {}
}
