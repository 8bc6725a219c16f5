package dev.wisent.sharding.balance;

import java.util.Set;

/**
 * A shard as the balancer sees it.
 *
 * @param dataBytes of all its collections, sharded or not
 * @param maxBytes with more data than this it receives none; 0 for no limit
 * @param reachable whether it can take part in migrations now
 */
public record ShardLoad(
    String name,
    long dataBytes,
    long maxBytes,
    boolean draining,
    boolean reachable,
    Set<String> zones) {
  public ShardLoad {
    zones = Set.copyOf(zones);
  }

  /** One without limit and zones. */
  public static ShardLoad of(String name, long dataBytes) {
    return new ShardLoad(name, dataBytes, 0, false, true, Set.of());
  }

  public ShardLoad inZones(String... names) {
    return new ShardLoad(name, dataBytes, maxBytes, draining, reachable, Set.of(names));
  }

  public ShardLoad limitedTo(long bytes) {
    return new ShardLoad(name, dataBytes, bytes, draining, reachable, zones);
  }

  public ShardLoad inDraining() {
    return new ShardLoad(name, dataBytes, maxBytes, true, reachable, zones);
  }

  /** How much it may still receive. */
  long headroom() {
    return maxBytes == 0 ? Long.MAX_VALUE : Math.max(0, maxBytes - dataBytes);
  }
}
