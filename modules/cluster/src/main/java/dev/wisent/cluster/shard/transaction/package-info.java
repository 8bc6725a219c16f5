/**
 * Transactions of several shards, on the shards: {@link
 * dev.wisent.cluster.shard.transaction.TransactionCoordination} commits them in two phases; {@link
 * dev.wisent.cluster.shard.transaction.PreparedParts} asks the coordinator for an outcome that does
 * not come.
 */
package dev.wisent.cluster.shard.transaction;
