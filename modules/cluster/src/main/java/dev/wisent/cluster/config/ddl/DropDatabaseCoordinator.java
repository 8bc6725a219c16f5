package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Drops a database on all shards, its primary last; its readers and writers wait meanwhile. */
final class DropDatabaseCoordinator implements Coordinator {
  static final String TYPE = "dropDatabase";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final MetadataRemoval removal;

  DropDatabaseCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
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
    return ResourceLock.ofDatabase(resource);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    return catalog.database(context.operation(), context.resource()) == null
        ? Optional.of(
            new BsonBuilder().appendString("info", "database does not exist").toDocument())
        : Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("blockWrites", this::blockWrites),
        Phase.untilDone("removeCollections", this::removeCollections),
        Phase.untilDone("dropOnShards", this::dropOnShards),
        Phase.untilDone("removeDatabase", this::removeDatabase),
        Phase.untilDone("unblockWrites", this::unblockWrites),
        Phase.untilDone(MetadataRemoval.CHUNKS_PHASE, this::removeChunks));
  }

  private RawDocument begin(PhaseContext context) {
    String primary = catalog.primaryOf(context.operation(), context.resource());
    List<String> shards = catalog.shardsEndingWith(context.operation(), primary);
    participants.requireAnswers(context, catalog.shards(context.operation(), shards));
    var collections = new ArrayList<RawDocument>();
    for (CollectionDocument each : catalog.collectionsOf(context.operation(), context.resource())) {
      collections.add(
          new BsonBuilder()
              .appendString("ns", each.namespace().full())
              .appendUuid("uuid", each.uuid())
              .toDocument());
    }
    return new BsonBuilder()
        .append("shards", DocumentFields.arrayOfTexts(shards))
        .append("collections", DocumentFields.arrayOf(collections))
        .toDocument();
  }

  private static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  private static List<RawDocument> collections(PhaseContext context) {
    return DocumentFields.documents(context.data(), "collections");
  }

  private void blockWrites(PhaseContext context) {
    participants.hide(context, shards(context), context.resource());
  }

  private void removeCollections(PhaseContext context) {
    for (RawDocument each : collections(context)) {
      removal.remove(context, TYPE, DocumentFields.text(each, "ns"), each.get("uuid").asUuid());
    }
  }

  private void removeChunks(PhaseContext context) {
    for (RawDocument each : collections(context)) {
      removal.removeChunks(context, each.get("uuid").asUuid());
    }
  }

  private void dropOnShards(PhaseContext context) {
    List<String> shards = shards(context);
    for (String shard : shards) {
      participants
          .telling(shard.equals(shards.getLast()))
          .write(context, shard, context.resource(), out -> out.appendInt32("dropDatabase", 1));
      for (RawDocument each : collections(context)) {
        participants.forgetCollection(context, shard, DocumentFields.text(each, "ns"));
      }
    }
  }

  private void removeDatabase(PhaseContext context) {
    RawDocument seen = catalog.database(context.operation(), context.resource());
    if (seen != null) {
      metadata
          .writer()
          .change(
              context.operation(),
              new CatalogWriter.Entry(TYPE, context.resource(), seen),
              change -> change.delete(CatalogReads.DATABASES, seen));
    }
    for (String shard : shards(context)) {
      participants.setDatabase(context, shard, context.resource(), null);
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
    return new BsonBuilder().appendString("dropped", context.resource()).toDocument();
  }
}
