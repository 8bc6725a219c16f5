package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;

/**
 * How many documents match, after skip and up to limit (0 for all).
 *
 * @param parsedQuery the query in the collation of the request, if it is parsed already; null
 *     otherwise
 */
public record CountRequest(
    Namespace namespace,
    RawDocument query,
    MatchExpression parsedQuery,
    long skip,
    long limit,
    RawValue hint,
    CollationChoice collation)
    implements Explainable {
  public CountRequest(
      Namespace namespace,
      RawDocument query,
      long skip,
      long limit,
      RawValue hint,
      CollationChoice collation) {
    this(namespace, query, null, skip, limit, hint, collation);
  }

  /** In the collection's collation. */
  public CountRequest(
      Namespace namespace, RawDocument query, long skip, long limit, RawValue hint) {
    this(namespace, query, skip, limit, hint, CollationChoice.INHERITED);
  }
}
