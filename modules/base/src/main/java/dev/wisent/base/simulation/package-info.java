/**
 * Time and threads that a test moves: {@link dev.wisent.base.simulation.SimulatedScheduler} is a
 * scheduler and a clock. Random numbers of a seed come from {@link dev.wisent.base.RandomSource}.
 *
 * <p>Threading: everything happens on the thread that moves the simulation. The product does not
 * use this package.
 */
package dev.wisent.base.simulation;
