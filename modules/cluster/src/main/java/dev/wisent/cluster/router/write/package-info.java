/** Writes to several shards: which statement goes where, and how their outcomes become one. */
package dev.wisent.cluster.router.write;
