/** The network between simulated processes. On the thread of the machine, like all of them. */
package dev.wisent.simulation.network;
