package dev.wisent.server;

/** What a node is started for in a sharded cluster. */
public enum ClusterRole {
  /** It is in no cluster. */
  NONE(""),
  SHARD_SERVER("shardsvr"),
  CONFIG_SERVER("configsvr"),
  /** It keeps no data. */
  ROUTER("");

  private final String optionValue;

  ClusterRole(String optionValue) {
    this.optionValue = optionValue;
  }

  /** The value of {@code sharding.clusterRole} in configuration files; empty for none. */
  public String optionValue() {
    return optionValue;
  }
}
