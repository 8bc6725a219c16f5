package dev.wisent.replication.config;

import java.util.List;
import java.util.UUID;

/**
 * The configuration of a replica set.
 *
 * @param term the reign in which it was made; -1 for one that was forced
 * @param logGroup the replicated log of this set: never the same for two sets
 */
public record ReplicaSetConfig(
    String name,
    int version,
    long term,
    List<MemberConfig> members,
    SetSettings settings,
    UUID logGroup) {
  public ReplicaSetConfig {
    members = List.copyOf(members);
  }
}
