package dev.wisent.sharding;

import dev.wisent.wire.HostAndPort;
import java.util.List;

/**
 * A shard as {@code config.shards} has it.
 *
 * @param setName of its replica set
 * @param seeds some of its members
 * @param maxSizeMegabytes how much data it takes; 0 for no limit
 */
public record ShardInfo(
    String name,
    String setName,
    List<HostAndPort> seeds,
    boolean draining,
    List<String> zones,
    long maxSizeMegabytes) {}
