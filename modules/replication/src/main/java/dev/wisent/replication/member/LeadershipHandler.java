package dev.wisent.replication.member;

/** The database's part in a change of roles. Called by Raft, in order. */
public interface LeadershipHandler {
  /** This member becomes primary; returns when writes can be evaluated. */
  void begin(long term);

  /** It is primary no longer: lets no write in, and fails those under way. */
  void end();

  /**
   * Waits until the definitions of all that was applied can be found; false when the time is over.
   * Called by any thread.
   */
  boolean awaitPublished(long timeoutNanos) throws InterruptedException;
}
