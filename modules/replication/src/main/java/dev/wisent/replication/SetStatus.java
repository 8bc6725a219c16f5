package dev.wisent.replication;

import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    Optional<InitialSync> sync,
    List<Row> members) {
  /**
   * How this member has got its data from another one, or is about to.
   *
   * @param sources the hosts that the data came from, or was to come from, by the ids of peers
   */
  public record InitialSync(SyncReport report, Map<String, String> sources) {}

  /**
   * A member.
   *
   * @param self whether it is this one; its view has only what is known of oneself
   * @param electionTimestamp 0 unless it is primary
   * @param configVersion the configuration that it has
   * @param message what is wrong with it; empty if nothing is, or it is unknown
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
      String message,
      MemberView view) {}
}
