package dev.wisent.server.command.concern;

import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.concern.WriteQuorum;
import dev.wisent.replication.config.ReplicaSetConfig;

/** The quorum of the set's present configuration, which seldom changes. Thread-safe. */
final class CurrentQuorum {
  private final ReplicaSet set;
  private volatile WriteQuorum known;

  CurrentQuorum(ReplicaSet set) {
    this.set = set;
  }

  /** Null before the set is initiated, and on a member that was removed. */
  WriteQuorum get() {
    ReplicaSetConfig config = set.config().orElse(null);
    WriteQuorum quorum = known;
    if (quorum == null || quorum.config() != config) {
      quorum = config == null ? null : new WriteQuorum(config);
      known = quorum;
    }
    return quorum;
  }
}
