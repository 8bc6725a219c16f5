/**
 * Transactions of several shards, on the shards: {@link
 * dev.wisent.cluster.shard.transaction.TransactionCoordination} commits them in two phases.
 */
package dev.wisent.cluster.shard.transaction;
