/**
 * Transactions of several shards, on the shards: {@link
 * dev.wisent.cluster.shard.transaction.CoordinateCommitCommand} ends one.
 */
package dev.wisent.cluster.shard.transaction;
