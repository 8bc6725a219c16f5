package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/**
 * One update of a batch.
 *
 * @param update modifiers, a replacement document, or (an array) a pipeline
 * @param sort which document to take when not multi; empty for none
 * @param hint null, an index name or a key pattern
 * @param constants variables that a pipeline may read; empty for none
 */
public record UpdateStatement(
    RawDocument query,
    RawValue update,
    boolean multi,
    boolean upsert,
    List<RawDocument> arrayFilters,
    RawDocument sort,
    RawValue hint,
    RawDocument constants,
    CollationChoice collation) {
  /** Without variables, in the collection's collation. */
  public UpdateStatement(
      RawDocument query,
      RawValue update,
      boolean multi,
      boolean upsert,
      List<RawDocument> arrayFilters,
      RawDocument sort,
      RawValue hint) {
    this(
        query,
        update,
        multi,
        upsert,
        arrayFilters,
        sort,
        hint,
        RawDocument.EMPTY,
        CollationChoice.INHERITED);
  }
}
