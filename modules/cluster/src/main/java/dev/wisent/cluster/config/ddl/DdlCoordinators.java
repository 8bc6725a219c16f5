package dev.wisent.cluster.config.ddl;

import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import java.util.List;

/** All coordinators that change databases and collections. */
public final class DdlCoordinators {
  private DdlCoordinators() {}

  public static List<Coordinator> all(ClusterMetadata metadata) {
    DdlParts parts = DdlParts.of(metadata);
    return List.of(
        new CreateDatabaseCoordinator(metadata, parts),
        new ShardCollectionCoordinator(metadata, parts),
        new DropCoordinator(metadata, parts),
        new DropDatabaseCoordinator(metadata, parts),
        new ShardedCommandCoordinator(ShardedCommandCoordinator.CREATE_INDEXES, parts),
        new ShardedCommandCoordinator(ShardedCommandCoordinator.DROP_INDEXES, parts),
        new ShardedCommandCoordinator(ShardedCommandCoordinator.COLL_MOD, parts));
  }
}
