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
  WITHOUT_COLLECTION
}
