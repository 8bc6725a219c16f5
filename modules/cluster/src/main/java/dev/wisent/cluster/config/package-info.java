/**
 * The config servers of a cluster: a replica set whose database {@code config} says which shards
 * there are and what each of them has. {@link dev.wisent.cluster.config.ConfigServer} extends a
 * data node with the commands that routers send to the primary. The set may be a shard itself
 * ({@link dev.wisent.cluster.config.ConfigShardJoin}, {@link
 * dev.wisent.cluster.config.ConfigShardLeave}).
 */
package dev.wisent.cluster.config;
