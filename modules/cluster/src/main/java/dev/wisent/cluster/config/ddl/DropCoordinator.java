package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CollectionUuidMismatchException;
import dev.wisent.sharding.CollectionDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Drops a sharded collection on all shards, the primary of its database last. Its readers and
 * writers wait from before the metadata goes until no shard has it.
 */
final class DropCoordinator implements Coordinator {
  static final String TYPE = "drop";

  private final CatalogReads catalog;
  private final Participants participants;
  private final MetadataRemoval removal;

  DropCoordinator(ClusterMetadata metadata, DdlParts parts) {
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

  /** The collection that a client means may have been dropped, and another one have its name. */
  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    RawValue expected = context.arguments().get("collectionUUID");
    if (expected == null) {
      return Optional.empty();
    }
    // Where it is not sharded, the router asks the primary shard.
    UUID uuid = catalog.requireSharded(context.operation(), context.resource()).uuid();
    if (!uuid.equals(expected.asUuid())) {
      Namespace namespace = Namespace.parse(context.resource());
      throw new CollectionUuidMismatchException(
          namespace,
          expected.asUuid(),
          catalog.nameOf(context.operation(), namespace.database(), expected.asUuid()));
    }
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("blockWrites", this::blockWrites),
        Phase.untilDone("removeMetadata", this::removeMetadata),
        Phase.untilDone("dropOnShards", this::dropOnShards),
        Phase.untilDone("unblockWrites", this::unblockWrites),
        Phase.untilDone(MetadataRemoval.CHUNKS_PHASE, this::removeChunks));
  }

  /** A collection that is not sharded is dropped on the primary shard in the same way. */
  private RawDocument begin(PhaseContext context) {
    String database = Namespace.parse(context.resource()).database();
    String primary = catalog.primaryOf(context.operation(), database);
    RawDocument sharded = catalog.collection(context.operation(), context.resource());
    var out = new BsonBuilder();
    List<String> shards = List.of(primary);
    if (sharded != null) {
      shards = catalog.shardsEndingWith(context.operation(), primary);
      out.appendUuid("uuid", CollectionDocument.of(sharded).uuid());
    }
    participants.requireAnswers(context, catalog.shards(context.operation(), shards));
    return out.append("shards", DocumentFields.arrayOfTexts(shards)).toDocument();
  }

  private static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  private void blockWrites(PhaseContext context) {
    participants.hide(context, shards(context), context.resource());
  }

  private void removeMetadata(PhaseContext context) {
    if (context.data().get("uuid") != null) {
      removal.remove(
          context, "dropCollection", context.resource(), context.data().get("uuid").asUuid());
    }
  }

  private void removeChunks(PhaseContext context) {
    if (context.data().get("uuid") != null) {
      removal.removeChunks(context, context.data().get("uuid").asUuid());
    }
  }

  private void dropOnShards(PhaseContext context) {
    Namespace namespace = Namespace.parse(context.resource());
    List<String> shards = shards(context);
    for (String shard : shards) {
      participants.telling(shard.equals(shards.getLast())).drop(context, shard, namespace);
      participants.forgetCollection(context, shard, context.resource());
    }
  }

  private void unblockWrites(PhaseContext context) {
    participants.unblock(context, shards(context), context.resource());
  }

  @Override
  public void undo(PhaseContext context) {
    unblockWrites(context);
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return new BsonBuilder().appendString("ns", context.resource()).toDocument();
  }
}
