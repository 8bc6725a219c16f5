package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;

/** How many documents match, after skip and up to limit (0 for all). */
public record CountRequest(
    Namespace namespace,
    RawDocument query,
    long skip,
    long limit,
    RawValue hint,
    CollationChoice collation)
    implements Explainable {
  /** In the collection's collation. */
  public CountRequest(
      Namespace namespace, RawDocument query, long skip, long limit, RawValue hint) {
    this(namespace, query, skip, limit, hint, CollationChoice.INHERITED);
  }
}
