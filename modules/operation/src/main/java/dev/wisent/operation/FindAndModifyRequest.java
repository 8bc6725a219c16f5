package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/**
 * One document to find, change or remove, and return.
 *
 * @param update null for a removal
 */
public record FindAndModifyRequest(
    Namespace namespace,
    RawDocument query,
    RawDocument sort,
    RawValue update,
    boolean returnNew,
    boolean upsert,
    RawDocument fields,
    List<RawDocument> arrayFilters,
    boolean bypassValidation,
    RawValue hint,
    CollationChoice collation)
    implements Explainable {
  /** In the collection's collation. */
  public FindAndModifyRequest(
      Namespace namespace,
      RawDocument query,
      RawDocument sort,
      RawValue update,
      boolean returnNew,
      boolean upsert,
      RawDocument fields,
      List<RawDocument> arrayFilters,
      boolean bypassValidation,
      RawValue hint) {
    this(
        namespace,
        query,
        sort,
        update,
        returnNew,
        upsert,
        fields,
        arrayFilters,
        bypassValidation,
        hint,
        CollationChoice.INHERITED);
  }

  public boolean isRemoval() {
    return update == null;
  }

  /** The removal of the first match that this comes to, if it is one. */
  public DeleteStatement toDelete() {
    return new DeleteStatement(query, false, hint, collation);
  }

  /** The update of the first match that this comes to, if it is no removal. */
  public UpdateStatement toUpdate() {
    return new UpdateStatement(
        query, update, false, upsert, arrayFilters, sort, hint, RawDocument.EMPTY, collation);
  }
}
