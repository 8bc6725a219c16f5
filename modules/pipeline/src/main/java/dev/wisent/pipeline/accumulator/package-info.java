/**
 * Accumulators: what {@code $group} and its relatives, and windows that only grow, make of many
 * documents. {@link dev.wisent.pipeline.accumulator.AccumulatorTable} lists them, an {@link
 * dev.wisent.pipeline.accumulator.Accumulator} is a parsed one, and its {@link
 * dev.wisent.pipeline.accumulator.AccumulatorStates} hold what has been added so far, for many
 * groups side by side. Parsed accumulators are immutable; states belong to one thread.
 */
package dev.wisent.pipeline.accumulator;
