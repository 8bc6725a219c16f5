/**
 * Makes pipelines cheaper without changing what they give. Each rule is a class of its own that
 * looks at the stages at one place; {@link dev.wisent.pipeline.optimize.Optimizer} applies them
 * until none has anything to do.
 */
package dev.wisent.pipeline.optimize;
