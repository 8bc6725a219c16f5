/**
 * What a shard key would do to the documents and queries of a collection. Everything here is
 * computed from samples: documents in the order of their insertion, and queries as {@code
 * configureQueryAnalyzer} keeps them.
 *
 * <p>{@link dev.wisent.sharding.advice.KeyDistribution} and {@link
 * dev.wisent.sharding.advice.QueryDistribution} have the figures of {@code analyzeShardKey}. {@link
 * dev.wisent.sharding.advice.Simulation} lets a collection grow under a candidate key, and {@link
 * dev.wisent.sharding.advice.Verdict} judges what came of it. No class reads files, sockets or
 * clocks; none is for several threads.
 */
package dev.wisent.sharding.advice;
