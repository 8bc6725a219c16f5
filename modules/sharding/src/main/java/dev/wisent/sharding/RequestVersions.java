package dev.wisent.sharding;

import dev.wisent.operation.Namespace;
import java.util.Map;

/**
 * The versions that a router sent a request with.
 *
 * @param collections by name; those that are missing were taken for unsharded ones
 * @param shard the name of the shard that got the request
 */
public record RequestVersions(Map<Namespace, ChunkVersion> collections, String shard) {
  public RequestVersions {
    collections = Map.copyOf(collections);
  }

  public ChunkVersion of(Namespace namespace) {
    return collections.getOrDefault(namespace, ChunkVersion.UNSHARDED);
  }
}
