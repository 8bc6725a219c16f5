/** Real servers on a simulated machine, and calls to them. */
package dev.wisent.simulation.cluster;
