package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;

/**
 * Stands for an applier that is made later, but before the log is started: the log is made before
 * the database that it is applied to, which needs the log.
 */
public final class ApplierReference extends ForwardingApplier {
  private volatile LogApplier inner;

  public void applyTo(LogApplier applier) {
    inner = applier;
  }

  @Override
  LogApplier inner() {
    return inner;
  }
}
