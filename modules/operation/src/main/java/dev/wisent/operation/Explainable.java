package dev.wisent.operation;

import dev.wisent.query.collation.CollationChoice;

/** An operation that reads by a plan, which explain can tell about. */
public sealed interface Explainable
    permits FindRequest,
        AggregateRequest,
        CountRequest,
        DistinctRequest,
        UpdateRequest,
        DeleteRequest,
        FindAndModifyRequest {
  Namespace namespace();

  /** What it says about its collation; of an update or delete the first statement does. */
  CollationChoice collation();
}
