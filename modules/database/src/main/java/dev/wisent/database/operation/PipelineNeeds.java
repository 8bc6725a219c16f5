package dev.wisent.database.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.path.FieldPath;

/**
 * What a pipeline looks at of the documents that a find gives it. The find may give more.
 *
 * @param fields an inclusion of the fields; empty for whole documents
 * @param grouped of which documents one is enough; null for all
 */
public record PipelineNeeds(RawDocument fields, Grouped grouped) {
  /** Of an ordinary find, whose documents are wanted as they are. */
  public static final PipelineNeeds NONE = new PipelineNeeds(RawDocument.EMPTY, null);

  /**
   * One document for each value of a field, in the order of the find.
   *
   * @param last whether it is the last of them, not the first
   */
  public record Grouped(FieldPath by, boolean last) {}
}
