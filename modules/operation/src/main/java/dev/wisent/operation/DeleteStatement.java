package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;

/** One delete of a batch: of the first match, or of all. */
public record DeleteStatement(
    RawDocument query, boolean multi, RawValue hint, CollationChoice collation) {
  /** In the collection's collation. */
  public DeleteStatement(RawDocument query, boolean multi, RawValue hint) {
    this(query, multi, hint, CollationChoice.INHERITED);
  }
}
