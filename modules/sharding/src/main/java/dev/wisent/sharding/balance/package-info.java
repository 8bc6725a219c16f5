/**
 * What the balancer decides: {@link dev.wisent.sharding.balance.BalancePolicy} makes, from the data
 * of shards and collections ({@link dev.wisent.sharding.balance.ClusterLoad}), the migrations of a
 * round ({@link dev.wisent.sharding.balance.BalancePlan}). Everything here is a pure function:
 * neither time, nor threads, nor calls to other nodes.
 *
 * <p>A round costs one look at every chunk, and the sorting of the shards for each collection.
 */
package dev.wisent.sharding.balance;
