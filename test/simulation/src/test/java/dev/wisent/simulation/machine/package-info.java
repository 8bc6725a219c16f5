/**
 * A machine whose threads and time a seed decides about, and how the product gets on it without a
 * change of its sources.
 *
 * <p>Threading: everything happens on the thread that runs {@link
 * dev.wisent.simulation.machine.Machine}; simulated threads are virtual threads that it carries,
 * one at a time.
 */
package dev.wisent.simulation.machine;
