package dev.wisent.storage;

/** A range of keys to walk; null bounds are open. */
record KeyRange(Keyspace keyspace, byte[] lowerInclusive, byte[] upperExclusive, boolean reverse) {}
