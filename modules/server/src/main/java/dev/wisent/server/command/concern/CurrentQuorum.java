package dev.wisent.server.command.concern;

import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.concern.WriteQuorum;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.Set;

/** The quorum of the set's present configuration and log, which seldom changes. Thread-safe. */
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
    if (config == null) {
      return null;
    }
    Set<Integer> logVoters = set.logVoters();
    if (quorum == null || !quorum.isOf(config, logVoters)) {
      quorum = new WriteQuorum(config, logVoters);
      known = quorum;
    }
    return quorum;
  }
}
