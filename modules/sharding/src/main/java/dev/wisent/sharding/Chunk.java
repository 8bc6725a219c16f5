package dev.wisent.sharding;

/**
 * A range of shard keys on one shard.
 *
 * @param jumbo whether it is too large to be moved and cannot be split
 */
public record Chunk(ChunkRange range, String shard, ChunkVersion version, boolean jumbo) {}
