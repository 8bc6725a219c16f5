package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes an unsharded collection out of the metadata, where its database has come to it: routers
 * find it by the primary shard then. Its documents stay where they are.
 */
final class UntrackCoordinator implements Coordinator {
  static final String TYPE = "untrackUnshardedCollection";

  private final CatalogReads catalog;
  private final Participants participants;
  private final MetadataRemoval removal;

  UntrackCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.removal = new MetadataRemoval(metadata);
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
    RawDocument tracked = catalog.collection(context.operation(), context.resource());
    if (tracked == null) {
      return Optional.of(RawDocument.EMPTY);
    }
    if (CollectionDocument.isSharded(tracked)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "The collection %s is sharded and cannot be untracked".formatted(context.resource()));
    }
    String shard = catalog.onlyShard(context.operation(), tracked);
    if (!shard.equals(primary(context))) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "The collection %s is on %s and not on the primary shard of its database"
              .formatted(context.resource(), shard));
    }
    return Optional.empty();
  }

  private String primary(PhaseContext context) {
    String database = Namespace.parse(context.resource()).database();
    return catalog.primaryOf(context.operation(), database);
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("block", this::block),
        Phase.untilDone("removeMetadata", this::removeMetadata),
        Phase.untilDone("forgetOnShards", this::forgetOnShards),
        Phase.untilDone("unblock", this::unblock),
        Phase.untilDone(MetadataRemoval.CHUNKS_PHASE, this::removeChunks));
  }

  private RawDocument begin(PhaseContext context) {
    RawDocument tracked = catalog.collection(context.operation(), context.resource());
    List<String> shards = catalog.shardsEndingWith(context.operation(), primary(context));
    participants.requireAnswers(context, catalog.shards(context.operation(), shards));
    return new BsonBuilder()
        .append("uuid", tracked.get("uuid"))
        .append("shards", DocumentFields.arrayOfTexts(shards))
        .toDocument();
  }

  private static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  private void block(PhaseContext context) {
    participants.hide(context, List.of(shards(context).getLast()), context.resource());
  }

  private void removeMetadata(PhaseContext context) {
    removal.remove(context, TYPE, context.resource(), context.data().get("uuid").asUuid());
  }

  private void removeChunks(PhaseContext context) {
    removal.removeChunks(context, context.data().get("uuid").asUuid());
  }

  /** The primary of an earlier time has the collection without documents. */
  private void forgetOnShards(PhaseContext context) {
    Namespace namespace = Namespace.parse(context.resource());
    for (String shard : shards(context)) {
      if (!shard.equals(shards(context).getLast())) {
        participants.telling(false).drop(context, shard, namespace);
      }
      participants.forgetCollection(context, shard, context.resource());
    }
  }

  private void unblock(PhaseContext context) {
    participants.unblock(context, List.of(shards(context).getLast()), context.resource());
  }

  @Override
  public void undo(PhaseContext context) {
    if (!shards(context).isEmpty()) {
      unblock(context);
    }
  }
}
