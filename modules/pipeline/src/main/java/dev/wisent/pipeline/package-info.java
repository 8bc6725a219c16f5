/**
 * Aggregation pipelines: {@link dev.wisent.pipeline.Stages} lists the stages, {@link
 * dev.wisent.pipeline.Pipeline} parses them, and each {@link dev.wisent.pipeline.Stage} turns one
 * stream of documents into another. A stream belongs to one thread.
 */
package dev.wisent.pipeline;
