package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Has all shards delete what they have of a collection and do not own. No range of it moves
 * meanwhile: what a shard is just receiving is not its own yet. So a request that is still on its
 * way when a run has failed is refused before the next migration begins.
 */
final class RecreateDeletionsCoordinator implements Coordinator {
  static final String TYPE = "recreateRangeDeletionTasks";
  static final String SKIP_EMPTY = "skipEmptyRanges";

  private static final String OF_SHARD = "_shardsvrRecreateRangeDeletionTasks";

  private final CatalogReads catalog;
  private final Participants participants;

  RecreateDeletionsCoordinator(DdlParts parts) {
    this.catalog = parts.catalog();
    this.participants = parts.participants();
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return ResourceLock.ofCollection(resource);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    var unused = catalog.requireSharded(context.operation(), context.resource());
    participants.requireAnswers(context, catalog.shards(context.operation()));
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(Phase.reversible("askShards", this::askShards));
  }

  private void askShards(PhaseContext context) {
    CollectionDocument collection = catalog.requireSharded(context.operation(), context.resource());
    boolean skipsEmpty = DocumentFields.isTrue(context.arguments(), SKIP_EMPTY);
    for (String shard : catalog.shardNames(context.operation())) {
      var unused =
          participants.write(
              context,
              shard,
              "admin",
              out -> {
                out.appendString(OF_SHARD, context.resource()).appendUuid("id", context.id());
                out.appendUuid("uuid", collection.uuid()).appendBoolean(SKIP_EMPTY, skipsEmpty);
              });
    }
  }

  /** The tasks that are there stay: they are right. */
  @Override
  public void undo(PhaseContext context) {
    participants.fence(context, catalog.shardNames(context.operation()));
  }
}
