package dev.wisent.sharding.balance;

/**
 * Which end of a collection has just been split because new keys go there: the new chunk at that
 * end is nearly empty, and the inserts follow it to another shard.
 */
public enum GrowingEnd {
  NONE,
  LOW,
  HIGH
}
