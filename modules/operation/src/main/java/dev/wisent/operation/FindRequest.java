package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;

/**
 * What a find asks for. Absent documents are empty, absent numbers 0.
 *
 * @param hint null, an index name, a key pattern or {@code {$natural: ±1}}
 * @param min inclusive lower bound by the hinted index, or null
 * @param max exclusive upper bound by the hinted index, or null
 * @param cursorOption the name of an option that is for the cursor of a find, not of a pipeline,
 *     and that a view therefore does not know; null for none
 * @param needs what those who go on with the documents look at
 */
public record FindRequest(
    Namespace namespace,
    RawDocument filter,
    RawDocument projection,
    RawDocument sort,
    RawValue hint,
    long skip,
    long limit,
    RawDocument min,
    RawDocument max,
    boolean returnKey,
    boolean showRecordId,
    Tailing tailing,
    CollationChoice collation,
    String cursorOption,
    PipelineDependencies needs)
    implements Explainable {

  /** Whether the cursor stays open at the end of a capped collection. */
  public enum Tailing {
    NONE,
    TAILABLE,
    AWAIT_DATA
  }

  /** In the collection's collation, of documents that are sent as they are. */
  public FindRequest(
      Namespace namespace,
      RawDocument filter,
      RawDocument projection,
      RawDocument sort,
      RawValue hint,
      long skip,
      long limit,
      RawDocument min,
      RawDocument max,
      boolean returnKey,
      boolean showRecordId,
      Tailing tailing) {
    this(
        namespace,
        filter,
        projection,
        sort,
        hint,
        skip,
        limit,
        min,
        max,
        returnKey,
        showRecordId,
        tailing,
        CollationChoice.INHERITED,
        null,
        PipelineDependencies.NONE);
  }

  public static FindRequest of(Namespace namespace, RawDocument filter) {
    return new FindRequest(
        namespace,
        filter,
        RawDocument.EMPTY,
        RawDocument.EMPTY,
        null,
        0,
        0,
        null,
        null,
        false,
        false,
        Tailing.NONE);
  }
}
