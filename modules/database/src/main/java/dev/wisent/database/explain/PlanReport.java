package dev.wisent.database.explain;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.planner.PlanLimits;
import dev.wisent.database.read.PreparedPipeline;
import dev.wisent.query.match.MatchExpression;
import java.util.List;

/**
 * How an operation is answered, for explain.
 *
 * @param collection null if there is none; the winner then is EOF
 * @param filter the query as it was understood
 * @param shapeHash eight hex digits of the query's shape; null for a query by {@code _id} alone
 * @param cacheKey eight hex digits of the shape and the indexes that it may use, or null
 * @param indexFilterSet whether an index filter limited the choice
 * @param planningNanos how long it took to make the plans and to choose one
 * @param limits which bounds were reached while plans were made
 * @param rejected the other candidates of the race, best first
 * @param execution null where the plan was not run
 * @param pipeline what goes on with the rows; null for operations that are no pipelines
 */
public record PlanReport(
    Collection collection,
    MatchExpression filter,
    String shapeHash,
    String cacheKey,
    boolean indexFilterSet,
    long planningNanos,
    PlanLimits limits,
    PlanCandidate winner,
    List<PlanCandidate> rejected,
    Execution execution,
    PreparedPipeline pipeline) {
  public PlanReport {
    rejected = List.copyOf(rejected);
  }

  /** The same as the first part of a pipeline. */
  PlanReport of(PreparedPipeline prepared) {
    return new PlanReport(
        collection,
        filter,
        shapeHash,
        cacheKey,
        indexFilterSet,
        planningNanos,
        limits,
        winner,
        rejected,
        execution,
        prepared);
  }

  /**
   * What came of running the winner.
   *
   * @param returned rows at its top
   * @param nanos from planning to the end
   * @param failure why it could not be run to its end, or null
   * @param wouldModify documents that an update would have changed or a delete removed
   * @param wouldUpsert whether an update would have inserted
   * @param stages those of a pipeline that the plan does not do itself
   */
  public record Execution(
      long returned,
      long nanos,
      CommandException failure,
      long wouldModify,
      boolean wouldUpsert,
      List<StageRun> stages) {
    public Execution {
      stages = List.copyOf(stages);
    }
  }

  /**
   * What a stage of a pipeline did.
   *
   * @param nanos how long it took, with all that is before it
   * @param use the memory and files that it used, or what it read elsewhere, as explain shows them
   */
  public record StageRun(long returned, long nanos, RawDocument use) {}
}
