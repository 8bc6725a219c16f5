package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.bson.ObjectIds;
import dev.wisent.replication.ClusterClock;

/**
 * What commands and coordinators of the config servers are made from.
 *
 * @param clusterTime gives the times of changes
 * @param shards calls the primaries of shards
 */
public record ClusterMetadata(
    CatalogStore store,
    CatalogWriter writer,
    ShardCaller shards,
    ClusterClock clusterTime,
    Clock clock,
    RandomSource random,
    ObjectIds ids,
    Log log) {}
