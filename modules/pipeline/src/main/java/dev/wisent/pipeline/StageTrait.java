package dev.wisent.pipeline;

/** Where a stage may stand. */
public enum StageTrait {
  /** Only as the first of a pipeline. */
  FIRST,
  /** Only as the last of a pipeline that is not nested: it writes. */
  LAST,
  /** Not in the pipelines of a {@code $facet}. */
  NOT_IN_FACET,
  /** Also in updates: it makes one document of one document. */
  FOR_UPDATES,
  /** Makes documents by itself, so that it needs no collection. */
  WITHOUT_COLLECTION,
  /** Not in a pipeline that another stage runs, nor in a view. */
  NOT_NESTED,
  /** Also behind a {@code $changeStream}. */
  IN_CHANGE_STREAMS,
  /** Only behind a {@code $changeStream}, and last. */
  ONLY_IN_CHANGE_STREAMS
}
