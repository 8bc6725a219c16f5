/** Simulated clusters: a seed decides everything that happens to them. */
package dev.wisent.simulation;
