/** Makes a data node a shard: its identity, what it owns, and the checks of requests. */
package dev.wisent.cluster.shard;
