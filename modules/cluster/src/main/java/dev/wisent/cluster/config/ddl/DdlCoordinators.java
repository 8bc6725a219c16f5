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
        new MovePrimaryCoordinator(metadata, parts),
        new ShardCollectionCoordinator(metadata, parts),
        new DropCoordinator(metadata, parts),
        new DropDatabaseCoordinator(metadata, parts),
        new CreateIndexesCoordinator(parts),
        new DropIndexesCoordinator(parts),
        new CollModCoordinator(parts),
        new RecreateDeletionsCoordinator(parts),
        new RefineShardKeyCoordinator(metadata, parts),
        new RenameCoordinator(metadata, parts),
        new UntrackCoordinator(metadata, parts),
        new ReshardCoordinator(ReshardCoordinator.RESHARD, metadata, parts),
        new ReshardCoordinator(ReshardCoordinator.UNSHARD, metadata, parts),
        new ReshardCoordinator(ReshardCoordinator.MOVE, metadata, parts));
  }
}
