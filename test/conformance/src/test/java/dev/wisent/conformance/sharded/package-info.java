/** Sharded clusters of real processes, as drivers and shells see them. */
package dev.wisent.conformance.sharded;
