/**
 * The balancer, which runs on the primary of the config servers. In each round {@link
 * dev.wisent.cluster.config.balancer.LoadReader} asks how much data shards have, {@link
 * dev.wisent.sharding.balance.BalancePolicy} decides, and {@link
 * dev.wisent.cluster.config.balancer.ChunkMoves} carries it out. {@link
 * dev.wisent.cluster.config.balancer.Balancer} is the loop, which ends with the leadership of its
 * member and begins anew on the next primary: it keeps nothing that could get lost.
 *
 * <p>Threading: one thread runs rounds; commands look at its state and wake it.
 */
package dev.wisent.cluster.config.balancer;
