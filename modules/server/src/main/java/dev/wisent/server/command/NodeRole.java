package dev.wisent.server.command;

import java.util.EnumSet;
import java.util.Set;

/** What a node is in a deployment; decides which commands it has. */
public enum NodeRole {
  /** Keeps documents: a standalone, or a member of a replica set. */
  DATA_NODE,
  /** Keeps what a sharded cluster knows about itself. */
  CONFIG_SERVER,
  /** Keeps nothing, and sends what clients ask to the nodes that do. */
  ROUTER;

  public static final Set<NodeRole> ALL_ROLES = Set.copyOf(EnumSet.allOf(NodeRole.class));

  /** The roles with a store of their own, of which replica sets are made. */
  public static final Set<NodeRole> STORING_ROLES = Set.of(DATA_NODE, CONFIG_SERVER);
}
