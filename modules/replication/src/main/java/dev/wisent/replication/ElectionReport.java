package dev.wisent.replication;

/**
 * What a member knows about elections.
 *
 * @param won the election that it leads by; null if it does not lead
 * @param voted the last election of another one; null if there was none
 */
public record ElectionReport(Won won, Voted voted, Counts counts) {
  /**
   * An election that this member has won.
   *
   * @param seen the last operation that it knew of
   * @param priorPrimaryId -1 if none was known
   * @param majorityMillis when writes of the new term could be acknowledged; 0 if not yet
   */
  public record Won(
      ElectionReason reason,
      long dateMillis,
      long term,
      OpTime seen,
      int votesNeeded,
      double priority,
      int electionTimeoutMillis,
      int priorPrimaryId,
      long majorityMillis) {
    public Won because(ElectionReason other) {
      return new Won(
          other,
          dateMillis,
          term,
          seen,
          votesNeeded,
          priority,
          electionTimeoutMillis,
          priorPrimaryId,
          majorityMillis);
    }

    public Won available(long millis) {
      return new Won(
          reason,
          dateMillis,
          term,
          seen,
          votesNeeded,
          priority,
          electionTimeoutMillis,
          priorPrimaryId,
          millis);
    }
  }

  /**
   * An election that another member has won.
   *
   * @param granted whether this member has voted for it
   * @param newTermStartMillis when the new primary began; 0 if nothing of it is applied here yet
   */
  public record Voted(
      boolean granted,
      long term,
      long dateMillis,
      int candidateId,
      OpTime applied,
      OpTime maxApplied,
      double priority,
      long newTermStartMillis,
      long newTermAppliedMillis) {
    public Voted applied(long startMillis, long appliedMillis) {
      return new Voted(
          granted,
          term,
          dateMillis,
          candidateId,
          applied,
          maxApplied,
          priority,
          startMillis,
          appliedMillis);
    }
  }

  /** How often this member has stood, and been elected. */
  public record Calls(long called, long successful) {}

  /** Since the start of this member. */
  public record Counts(
      Calls stepUp,
      Calls priorityTakeover,
      Calls electionTimeout,
      long stepDownsByHigherTerm,
      long won) {}
}
