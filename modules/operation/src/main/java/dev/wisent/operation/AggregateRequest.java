package dev.wisent.operation;

import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.CollationChoice;

/** A pipeline over a collection. */
public record AggregateRequest(
    Namespace namespace, Pipeline pipeline, RawValue hint, CollationChoice collation)
    implements Explainable {
  /** In the collection's collation. */
  public AggregateRequest(Namespace namespace, Pipeline pipeline, RawValue hint) {
    this(namespace, pipeline, hint, CollationChoice.INHERITED);
  }
}
