package dev.wisent.pipeline.write;

/** Where the last stage of a pipeline writes. */
public interface PipelineOutput {
  /** Takes the documents that replace a collection. They are invisible before they are complete. */
  DocumentSink replace(OutStage stage);

  /** Takes documents that go into a collection one by one. Fails if it is not fit for that. */
  DocumentSink merge(MergeStage stage);
}
