package dev.wisent.testkit;

import java.util.Locale;

/** What a run of tests works against where no server is named. */
public enum Topology {
  /** A node by itself. */
  SERVER,
  /** A router in front of shards, with collections that are not sharded. */
  CLUSTER,
  /** A router in front of shards, with collections that are spread over all of them. */
  SHARDED;

  /** System property with the topology of a run: {@code server}, the default, or another one. */
  public static final String PROPERTY = "wisent.testTopology";

  /** The topology of this run. */
  public static Topology ofRun() {
    return valueOf(System.getProperty(PROPERTY, "server").toUpperCase(Locale.ROOT));
  }

  /** The name that the property has. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
