/**
 * How documents are spread over shards: shard keys, chunks with their versions, and the routing
 * tables that tell which shards a request is for. All values are immutable.
 */
package dev.wisent.sharding;
