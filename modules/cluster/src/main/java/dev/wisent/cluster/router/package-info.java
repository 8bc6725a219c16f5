/** Serves clients from the shards: targets, forwards, merges. */
package dev.wisent.cluster.router;
