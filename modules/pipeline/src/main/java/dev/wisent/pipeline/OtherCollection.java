package dev.wisent.pipeline;

import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;

/** Another collection that a stage reads. One that does not exist has no documents. */
public interface OtherCollection {
  /**
   * Runs a pipeline over the collection, as a command would: the first stages may use indexes.
   *
   * @param context what the pipeline was parsed with
   */
  OpenStream open(Pipeline pipeline, QueryContext context);

  /** Whether an index finds the documents that have a value at a path, whatever it is. */
  boolean findsByIndex(FieldPath path, QueryContext context);

  /** How many documents there are, and so how much it is to read them all; 0 if unknown. */
  long documents();

  /** How many bytes they take; 0 if unknown. */
  long bytes();
}
