package dev.wisent.database.operation;

/**
 * An operation to be planned, and depending on the verbosity run, without its results. Writes
 * change nothing.
 *
 * @param request of an update or delete there is one statement
 */
public record ExplainRequest(Explainable request, Verbosity verbosity) {
  /** How much is wanted; each includes what the one before does. */
  public enum Verbosity {
    /** Which plan is chosen among which others. */
    QUERY_PLANNER,
    /** What the chosen plan does when it runs to its end. */
    EXECUTION_STATS,
    /** What the others did while the plan was chosen. */
    ALL_PLANS_EXECUTION;

    public boolean runs() {
      return this != QUERY_PLANNER;
    }
  }
}
