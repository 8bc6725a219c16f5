package dev.wisent.database.operation;

import dev.wisent.database.Namespace;

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
}
