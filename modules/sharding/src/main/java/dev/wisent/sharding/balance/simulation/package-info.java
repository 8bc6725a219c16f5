/**
 * Clusters of numbers, on which the policy of the balancer is tried: years of growth in seconds.
 * {@link dev.wisent.sharding.balance.simulation.SimulatedCluster} carries out what the policy
 * plans, {@link dev.wisent.sharding.balance.simulation.GrowthSimulation} has clusters grow. For one
 * thread; the same seed gives the same run.
 */
package dev.wisent.sharding.balance.simulation;
