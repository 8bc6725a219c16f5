package dev.wisent.junit;

/** Which servers a test has. */
public enum Topology {
  /** One server that is not replicated: no transactions, no change streams. */
  NODE,
  /** A replica set. */
  SET,
  /** A router in front of shards, with a config server. */
  CLUSTER
}
