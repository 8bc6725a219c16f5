/** Sharded clusters as clients see them. */
package dev.wisent.conformance.sharding;
