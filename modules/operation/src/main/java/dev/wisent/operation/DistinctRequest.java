package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;

/** The different values of a field among the matching documents. */
public record DistinctRequest(
    Namespace namespace, String key, RawDocument query, RawValue hint, CollationChoice collation)
    implements Explainable {
  /** In the collection's collation. */
  public DistinctRequest(Namespace namespace, String key, RawDocument query, RawValue hint) {
    this(namespace, key, query, hint, CollationChoice.INHERITED);
  }
}
