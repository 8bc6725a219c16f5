/** Reads of several shards: which ones, and how their answers become one. */
package dev.wisent.cluster.router.read;
