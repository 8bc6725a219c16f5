/**
 * What clients and administrators do to a simulated cluster, what goes wrong meanwhile, and what
 * has to hold all the time and at the end.
 */
package dev.wisent.simulation.workload;
