/**
 * What a router knows of the cluster: read from the config servers, cached, and read again where a
 * shard says that it is stale.
 */
package dev.wisent.cluster.catalog;
