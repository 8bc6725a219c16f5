package dev.wisent.database.cursor;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.ResultCursor;

/** Results that a plan may find. */
public interface PlannedCursor extends ResultCursor {
  /** How the documents are found, for explain; null where no plan was made. */
  PlanNode plan();

  /** The plan of any cursor; null where no plan was made. */
  static PlanNode planOf(ResultCursor results) {
    return results instanceof PlannedCursor planned ? planned.plan() : null;
  }
}
