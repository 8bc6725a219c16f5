/**
 * Stages that look at the documents around a document: {@code $setWindowFields}, {@code $densify}
 * and {@code $fill}.
 *
 * <p>{@link dev.wisent.pipeline.window.WindowStage} goes over sorted documents, partition by
 * partition. What it has to hold of a partition is in a {@link
 * dev.wisent.pipeline.window.Partition}; each output field has a {@link
 * dev.wisent.pipeline.window.WindowFunction}, parsed by a row of {@link
 * dev.wisent.pipeline.window.WindowFunctionTable}, and while it runs a {@link
 * dev.wisent.pipeline.window.RunningFunction}. Parsed functions are immutable; what runs belongs to
 * one thread.
 */
package dev.wisent.pipeline.window;
