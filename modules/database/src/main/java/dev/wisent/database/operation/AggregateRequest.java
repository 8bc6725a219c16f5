package dev.wisent.database.operation;

import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;
import dev.wisent.query.aggregate.Pipeline;

/** A pipeline over a collection. */
public record AggregateRequest(Namespace namespace, Pipeline pipeline, RawValue hint)
    implements Explainable {}
