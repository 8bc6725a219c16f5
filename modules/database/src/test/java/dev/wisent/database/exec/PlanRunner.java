package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Runs plans that a test has put together or chosen by hand. */
public final class PlanRunner {
  private final TestDatabase database;

  public PlanRunner(TestDatabase database) {
    this.database = database;
  }

  /**
   * What came out of a plan.
   *
   * @param documents of rows without one, the values of the key, or null if there is no key either
   */
  public record Result(List<RawDocument> documents, List<Long> recordIds, StageStats stats) {
    List<Integer> ids() {
      return TestDatabase.ids(documents);
    }

    List<String> json() {
      return documents.stream().map(RawDocument::toJson).toList();
    }
  }

  Result run(PlanNode plan) {
    return run(plan, null, () -> false);
  }

  /**
   * @param interrupts asked before each call of the plan whether to let go of the store first
   */
  public Result run(PlanNode plan, MatchExpression filter, BooleanSupplier interrupts) {
    Snapshot snapshot = database.engine().snapshot();
    var documents = new ArrayList<RawDocument>();
    var recordIds = new ArrayList<Long>();
    var context =
        new StepContext(
            database.collection(),
            snapshot,
            database.operation(),
            filter,
            SortSpace::inMemory,
            false,
            null,
            null);
    try (Step step = Steps.open(plan, context)) {
      while (true) {
        if (interrupts.getAsBoolean()) {
          step.suspend();
          snapshot.close();
          snapshot = database.engine().snapshot();
          step.resume(snapshot, database.operation());
        }
        switch (step.work()) {
          case ADVANCED -> {
            RawDocument document = step.document() != null ? step.document() : step.keyDocument();
            documents.add(document == null ? null : RawDocument.of(document.toByteArray()));
            recordIds.add(step.recordId());
          }
          case NEED_TIME -> {}
          case END -> {
            return new Result(documents, recordIds, step.stats());
          }
        }
      }
    } finally {
      snapshot.close();
    }
  }
}
