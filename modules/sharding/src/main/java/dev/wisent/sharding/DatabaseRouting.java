package dev.wisent.sharding;

/** Where the unsharded collections of a database are. */
public record DatabaseRouting(String name, String primaryShard, DatabaseVersion version) {}
