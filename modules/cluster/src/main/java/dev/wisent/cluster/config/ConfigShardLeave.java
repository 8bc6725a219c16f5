package dev.wisent.cluster.config;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ends that the config servers are a shard, when their chunks and databases have gone. What is left
 * of sharded collections is deleted, so that the set can become a shard again.
 */
final class ConfigShardLeave implements Coordinator {
  static final String TYPE = "transitionToDedicatedConfigServer";

  private static final int REMOVED_LOG_ID = 9_000_512;

  private final ClusterMetadata metadata;
  private final ConfigShard own;

  ConfigShardLeave(ClusterMetadata metadata, ConfigShard own) {
    this.metadata = metadata;
    this.own = own;
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return Set.of(new ResourceLock(resource, true));
  }

  /** Another request may have been faster. */
  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    return shard(context) == null ? Optional.of(result(context)) : Optional.empty();
  }

  private RawDocument shard(PhaseContext context) {
    return metadata.store().findById(context.operation(), ShardDraining.SHARDS, ConfigShard.NAME);
  }

  /**
   * The first phase cannot be undone: a transaction that has waited too long for a majority may
   * commit later. It is repeated while a coordinator concerns the shard.
   */
  @Override
  public List<Phase> phases() {
    return List.of(Phase.untilDone("remove", this::remove), Phase.untilDone("clear", this::clear));
  }

  private void remove(PhaseContext context) {
    RawDocument shard = shard(context);
    if (shard == null) {
      return;
    }
    var details = new BsonBuilder().appendString("shard", ConfigShard.NAME).toDocument();
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry("removeShard", "", details),
            change -> ShardDraining.delete(change, shard, context.id()));
    metadata.log().info(REMOVED_LOG_ID, "Removed a shard", "shard", ConfigShard.NAME);
  }

  /** The set looks for this run: a request that is late must not clear a later shard. */
  private void clear(PhaseContext context) {
    own.write(
        context.operation(), command -> command.appendUuid("_shardsvrClearShard", context.id()));
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return ShardDraining.completed(ConfigShard.NAME);
  }
}
