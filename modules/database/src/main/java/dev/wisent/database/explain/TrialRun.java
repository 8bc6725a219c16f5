package dev.wisent.database.explain;

import dev.wisent.base.CommandException;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateParsing;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import java.util.List;

/** What explain does with the rows of a plan: as much as the operation would, and nothing lasts. */
abstract class TrialRun {
  long returned;
  long wouldModify;
  boolean wouldUpsert;

  abstract void run(RunningPlan plan);

  PlanReport.Execution toExecution(long nanos, CommandException failure) {
    return new PlanReport.Execution(returned, nanos, failure, wouldModify, wouldUpsert, stages());
  }

  /** Those of a pipeline. */
  List<PlanReport.StageRun> stages() {
    return List.of();
  }

  static TrialRun all() {
    return upTo(Long.MAX_VALUE);
  }

  static TrialRun upTo(long enough) {
    return new TrialRun() {
      @Override
      void run(RunningPlan plan) {
        while (returned < enough && plan.next()) {
          returned++;
        }
      }
    };
  }

  static TrialRun deleting(boolean multi) {
    return new TrialRun() {
      @Override
      void run(RunningPlan plan) {
        while ((multi || returned == 0) && plan.next()) {
          returned++;
          wouldModify++;
        }
      }
    };
  }

  static TrialRun updating(
      UpdateStatement statement, UpdateContext context, OperationContext operation) {
    Update update = UpdateParsing.parse(statement, context, operation);
    var run =
        new TrialRun() {
          @Override
          void run(RunningPlan plan) {
            wouldUpsert = false;
            while ((statement.multi() || returned == 0) && plan.next()) {
              returned++;
              wouldModify += modifies(update, plan) ? 1 : 0;
            }
            wouldUpsert = statement.upsert() && returned == 0;
          }
        };
    // What stays true where there is no collection to look into.
    run.wouldUpsert = statement.upsert();
    return run;
  }

  private static boolean modifies(Update update, RunningPlan plan) {
    MatchDetails details =
        update.needsMatchDetails()
            ? PositionalFilter.of(plan.filter()).detailsOf(plan.document())
            : null;
    return update.apply(plan.document(), details, false).modified();
  }
}
