/**
 * What {@code wisent dump} and {@code wisent restore} cost: {@link
 * dev.wisent.bench.tools.ToolSteps} does the steps, {@link dev.wisent.bench.tools.ToolCost} is what
 * one of them took.
 *
 * <p>Threading: one thread.
 */
package dev.wisent.bench.tools;
