package dev.wisent.operation;

import dev.wisent.bson.RawDocument;

/**
 * An operation to be planned, and depending on the verbosity run, without its results. Writes
 * change nothing.
 *
 * @param request of an update or delete there is one statement
 * @param command the command that is explained, which the answer repeats
 * @param server what the answer says about the server that gives it
 */
public record ExplainRequest(
    Explainable request, Verbosity verbosity, RawDocument command, RawDocument server) {
  /** The same of another operation, which is what is done for this one. */
  public ExplainRequest of(Explainable other) {
    return new ExplainRequest(other, verbosity, command, server);
  }

  /** How much is wanted; each includes what the one before does. */
  public enum Verbosity {
    /** Which plan is chosen among which others. */
    QUERY_PLANNER,
    /** What the chosen plan does when it runs to its end. */
    EXECUTION_STATS,
    /** What the others did while the plan was chosen. */
    ALL_PLANS_EXECUTION;

    /** As commands have it. */
    public String text() {
      return switch (this) {
        case QUERY_PLANNER -> "queryPlanner";
        case EXECUTION_STATS -> "executionStats";
        case ALL_PLANS_EXECUTION -> "allPlansExecution";
      };
    }

    public boolean runs() {
      return this != QUERY_PLANNER;
    }
  }
}
