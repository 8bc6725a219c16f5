/**
 * Change streams as a pipeline has them: the stages {@code $changeStream} and {@code
 * $changeStreamSplitLargeEvent} ({@link dev.wisent.pipeline.changestream.ChangeStreamStages}), and
 * the tokens that a stream goes on from ({@link dev.wisent.pipeline.changestream.ResumeToken}).
 * Where the events come from is the runner's affair. Everything is immutable.
 */
package dev.wisent.pipeline.changestream;
