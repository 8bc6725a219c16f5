package dev.wisent.sharding;

/** A range of shard keys whose documents belong on the shards of a zone. */
public record ZoneRange(ChunkRange range, String zone) {}
