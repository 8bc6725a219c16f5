package dev.wisent.cluster.catalog;

import dev.wisent.sharding.CollectionRouting;

/**
 * What a router knows of a sharded collection.
 *
 * @param read as the config servers have told it
 * @param routing the same after the moves that shards have told of since
 */
record KnownCollection(CollectionRouting read, CollectionRouting routing) {}
