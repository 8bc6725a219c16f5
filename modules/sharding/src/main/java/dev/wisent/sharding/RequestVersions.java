package dev.wisent.sharding;

import dev.wisent.operation.Namespace;
import java.util.Map;

/**
 * The versions that a router sent a request with.
 *
 * @param collections by name; those that are missing were taken for unsharded ones
 * @param databases by name
 * @param shard the name of the shard that got the request
 * @param admitted whether its writes were let in as a whole: no coordinator keeps them out any more
 */
public record RequestVersions(
    Map<Namespace, ChunkVersion> collections,
    Map<String, DatabaseVersion> databases,
    String shard,
    boolean admitted) {
  public RequestVersions {
    collections = Map.copyOf(collections);
    databases = Map.copyOf(databases);
  }

  public ChunkVersion of(Namespace namespace) {
    return collections.getOrDefault(namespace, ChunkVersion.UNSHARDED);
  }

  /** Whether writes of a collection are under way until the request ends. */
  public boolean isAdmitted(Namespace namespace) {
    return admitted && collections.containsKey(namespace);
  }
}
