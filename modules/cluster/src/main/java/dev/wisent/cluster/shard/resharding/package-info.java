/**
 * The part of shards in resharding: donors copy what they own of a collection to a temporary
 * collection on the shards that its new key says, and go on sending what has changed, as in {@link
 * dev.wisent.cluster.shard.migration}. The coordinator on the config servers decides. {@link
 * dev.wisent.cluster.shard.resharding.Reshardings} is the entrance.
 *
 * <p>What a donor knows of a copy is in the memory of its primary; the next one copies anew. Both
 * roles store the number of the attempt, so that a recipient refuses what an earlier primary of a
 * donor has sent.
 */
package dev.wisent.cluster.shard.resharding;
