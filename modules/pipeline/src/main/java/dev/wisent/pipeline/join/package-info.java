/**
 * Stages that bring documents together which come from several places: other collections, the
 * pipeline itself, or several pipelines over the same input.
 *
 * <p>A stage reads another collection through {@link dev.wisent.pipeline.StageRun#collection}, so
 * that indexes serve it as they serve a find. Streams belong to one thread.
 */
package dev.wisent.pipeline.join;
