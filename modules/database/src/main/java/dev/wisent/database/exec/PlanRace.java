package dev.wisent.database.exec;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.database.plan.PlanCandidate;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lets plans for the same query take turns until one has given enough rows or all of them, or each
 * has worked for long enough. The one that got furthest for its works goes on; the rows that it has
 * given already are kept.
 */
public final class PlanRace {
  private final List<Runner> runners = new ArrayList<>();
  private final long worksMax;
  private final long rowsEnough;

  /** A plan in the race. */
  private static final class Runner {
    private final Step root;
    private final ArrayDeque<Row> rows = new ArrayDeque<>();
    private CommandException failure;
    private double score;
    private StageStats trial;

    Runner(Step root) {
      this.root = root;
    }

    PlanCandidate toCandidate() {
      return new PlanCandidate(root.stats(), trial, score, false);
    }
  }

  /**
   * How a race ended.
   *
   * @param winner at work, behind {@code rows}
   * @param candidates the winner, then the others, best first
   */
  record Outcome(Step winner, ArrayDeque<Row> rows, List<PlanCandidate> candidates) {}

  /**
   * @param rowsWanted how many rows the query asks for; 0 for all
   */
  PlanRace(List<PlanNode> plans, StepContext context, long rowsWanted) {
    worksMax =
        Math.max(
            Limits.PLAN_RACE_WORKS_MIN,
            (long) (Limits.PLAN_RACE_WORKS_PER_DOCUMENT * context.collection().documents()));
    rowsEnough =
        rowsWanted == 0
            ? Limits.PLAN_RACE_ROWS_ENOUGH
            : Math.min(rowsWanted, Limits.PLAN_RACE_ROWS_ENOUGH);
    plans.forEach(plan -> runners.add(new Runner(Steps.open(plan, context))));
  }

  /** The caller closes the winner; the others are closed. */
  Outcome run() {
    try {
      for (long works = 0; works < worksMax && !round(); works++) {
        // The round has done it all.
      }
      return decide();
    } catch (RuntimeException | Error e) {
      runners.forEach(runner -> runner.root.close());
      throw e;
    }
  }

  /** One piece of work for each; whether that decided the race. */
  private boolean round() {
    boolean decided = false;
    boolean somebodyRuns = false;
    for (Runner runner : runners) {
      if (runner.failure == null) {
        somebodyRuns = true;
        decided |= work(runner);
      }
    }
    return decided || !somebodyRuns;
  }

  private boolean work(Runner runner) {
    try {
      return switch (runner.root.work()) {
        case ADVANCED -> {
          runner.rows.add(Row.of(runner.root));
          yield runner.rows.size() >= rowsEnough;
        }
        case NEED_TIME -> false;
        case END -> true;
      };
    } catch (CommandException e) {
      if (e.code() != ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED) {
        throw e;
      }
      // Another plan may do without a sort.
      runner.failure = e;
      return false;
    }
  }

  private Outcome decide() {
    for (Runner runner : runners) {
      runner.trial = runner.root.stats().copy();
      runner.score = runner.failure == null ? PlanScore.of(runner.trial) : 0;
    }
    // Plans that are as good as each other stay in the planner's order.
    runners.sort(Comparator.comparingDouble((Runner runner) -> runner.score).reversed());
    Runner winner = runners.getFirst();
    if (winner.failure != null) {
      throw winner.failure;
    }
    runners.subList(1, runners.size()).forEach(loser -> loser.root.close());
    return new Outcome(
        winner.root, winner.rows, runners.stream().map(Runner::toCandidate).toList());
  }
}
