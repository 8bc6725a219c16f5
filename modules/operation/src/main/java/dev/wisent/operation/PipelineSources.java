package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Pipeline;
import java.util.List;

/**
 * Makes the documents of pipelines that begin with a stage such as {@code $collStats}: most of what
 * these report on is the server's to know, not the database's.
 */
@FunctionalInterface
public interface PipelineSources {
  /**
   * What a source stage whose documents are stored reads, of any collection; null for all others.
   */
  default FindRequest stored(Pipeline pipeline, Namespace namespace) {
    return null;
  }

  /** The documents of the pipeline's source stage. */
  List<RawDocument> documents(Pipeline pipeline, Namespace namespace, OperationContext operation);
}
