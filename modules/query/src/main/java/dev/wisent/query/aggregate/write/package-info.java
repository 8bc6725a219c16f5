/**
 * Stages that write what a pipeline has made: {@code $out} and {@code $merge}. They are parsed and
 * checked here; the writing itself is done by whoever runs the pipeline, through {@link
 * dev.wisent.query.aggregate.write.PipelineOutput}.
 */
package dev.wisent.query.aggregate.write;
