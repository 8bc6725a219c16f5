/**
 * Stages that write what a pipeline has made: {@code $out} and {@code $merge}. They are parsed and
 * checked here; the writing itself is done by the runner of the pipeline, through {@link
 * dev.wisent.pipeline.write.PipelineOutput}.
 */
package dev.wisent.pipeline.write;
