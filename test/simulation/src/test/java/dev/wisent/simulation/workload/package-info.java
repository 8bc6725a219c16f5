/**
 * What clients and administrators do to a simulated cluster, what goes wrong meanwhile, and what
 * has to hold all the time and at the end. {@link dev.wisent.simulation.workload.Traffic} is what
 * all seeds have; {@link dev.wisent.simulation.workload.Loads} chooses what a seed has beside it,
 * by the number of the seed, so that a seed costs about the same.
 */
package dev.wisent.simulation.workload;
