/**
 * Change streams over all shards. {@link dev.wisent.cluster.router.stream.ClusterStreams} opens the
 * stream of every shard, and one of the list of shards on the config servers; {@link
 * dev.wisent.cluster.router.stream.ClusterStream} merges them by their tokens, and gives an event
 * when no input can have an earlier one. {@link dev.wisent.cluster.router.stream.PassedTimes} has
 * shards that are behind pass a time. What needs newest versions of documents runs here, in a
 * {@link dev.wisent.cluster.router.stream.LookupCursor}. A stream belongs to one thread at a time.
 */
package dev.wisent.cluster.router.stream;
