package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Shards a collection. Its writers wait from before its data is looked at until its primary shard
 * knows what it owns. Other shards that get chunks know before routers can.
 */
final class ShardCollectionCoordinator implements Coordinator {
  static final String TYPE = "shardCollection";

  private final ClusterMetadata metadata;
  private final DdlParts parts;
  private final CatalogReads catalog;
  private final Participants participants;
  private final UnusedChunks chunks;

  ShardCollectionCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.parts = parts;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.chunks = new UnusedChunks(metadata.store());
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
    RawDocument existing = catalog.collection(context.operation(), context.resource());
    if (!CollectionDocument.isSharded(existing)) {
      return Optional.empty();
    }
    CollectionDocument sharded = CollectionDocument.of(existing);
    boolean same =
        sharded.key().equals(DocumentFields.document(context.arguments(), "key"))
            && sharded.unique() == DocumentFields.isTrue(context.arguments(), "unique");
    if (!same) {
      throw new CommandException(
          ErrorCode.ALREADY_INITIALIZED,
          "sharding already enabled for collection %s with options %s"
              .formatted(context.resource(), ValueText.of(existing)));
    }
    return Optional.of(reply(context.resource(), sharded.uuid()));
  }

  private static RawDocument reply(String namespace, UUID uuid) {
    return new BsonBuilder()
        .appendString("collectionsharded", namespace)
        .appendUuid("collectionUUID", uuid)
        .toDocument();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("blockWrites", this::blockWrites),
        Phase.deciding("plan", this::plan),
        Phase.reversible("createCollections", this::createCollections),
        Phase.reversible("writeChunks", this::writeChunks),
        Phase.untilDone("commit", this::commit),
        Phase.untilDone("setTables", this::setTables),
        Phase.untilDone("unblockWrites", this::unblockWrites));
  }

  private RawDocument begin(PhaseContext context) {
    String database = Namespace.parse(context.resource()).database();
    String primary = catalog.primaryOf(context.operation(), database);
    RawDocument moved = catalog.collection(context.operation(), context.resource());
    if (moved == null) {
      return new BsonBuilder().appendString("primary", primary).toDocument();
    }
    String shard = catalog.onlyShard(context.operation(), moved);
    return new BsonBuilder()
        .appendString("primary", shard)
        .appendString("databasePrimary", primary)
        .toDocument();
  }

  /** The shard that has the documents: mostly the primary of the database. */
  private static String primary(PhaseContext context) {
    return DocumentFields.text(context.data(), "primary");
  }

  /** The primary of the database of a collection that was moved from there; null for others. */
  private static String databasePrimary(PhaseContext context) {
    return DocumentFields.text(context.data(), "databasePrimary");
  }

  private void blockWrites(PhaseContext context) {
    participants.block(context, List.of(primary(context)), context.resource());
  }

  private RawDocument plan(PhaseContext context) {
    return new ShardCollectionPlan(metadata, parts, context, primary(context)).decide();
  }

  /** The primary has all indexes first, so that a failure there changes no other shard. */
  private void createCollections(PhaseContext context) {
    RawDocument data = context.data();
    List<RawDocument> indexes = DocumentFields.documents(data, "indexes");
    RawDocument options = DocumentFields.document(data, "options");
    for (String shard : owners(context)) {
      participants
          .telling(shard.equals(primary(context)))
          .createCollection(
              context,
              shard,
              context.resource(),
              data.get("uuid").asUuid(),
              options,
              Participants.withoutId(indexes));
    }
    CollectionDocument collection = collection(context);
    List<ChunkDocument> chunks = chunks(context);
    for (String shard : owners(context)) {
      if (!shard.equals(primary(context))) {
        participants.setCollection(context, shard, collection, ShardRanges.of(shard, chunks));
      }
    }
  }

  /** The shards that get chunks and those that have the collection; the primary comes first. */
  private static Set<String> owners(PhaseContext context) {
    var shards = new LinkedHashSet<String>();
    shards.add(primary(context));
    if (databasePrimary(context) != null) {
      shards.add(databasePrimary(context));
    }
    for (RawDocument chunk : DocumentFields.documents(context.data(), "chunks")) {
      shards.add(DocumentFields.text(chunk, "shard"));
    }
    return shards;
  }

  private CollectionDocument collection(PhaseContext context) {
    RawDocument data = context.data();
    return new CollectionDocument(
        Namespace.parse(context.resource()),
        version(context).epoch(),
        version(context).timestamp(),
        metadata.clock().wallMillis(),
        data.get("uuid").asUuid(),
        DocumentFields.document(context.arguments(), "key"),
        DocumentFields.isTrue(context.arguments(), "unique"),
        DocumentFields.document(DocumentFields.document(data, "options"), "collation"),
        false,
        true,
        0);
  }

  private static ChunkVersion version(PhaseContext context) {
    return ChunkVersion.of(DocumentFields.document(context.data(), "version"));
  }

  private List<ChunkDocument> chunks(PhaseContext context) {
    var chunks = new ArrayList<ChunkDocument>();
    UUID uuid = context.data().get("uuid").asUuid();
    ChunkVersion version = version(context);
    for (RawDocument each : DocumentFields.documents(context.data(), "chunks")) {
      var chunk =
          new Chunk(ChunkRange.of(each), DocumentFields.text(each, "shard"), version, false);
      chunks.add(ChunkDocument.first(metadata.ids().get(), uuid, chunk, version.timestamp()));
      version = version.nextMinor();
    }
    return chunks;
  }

  /**
   * The chunks, to which the metadata does not refer yet. One that was moved has a chunk with its
   * UUID already, which routers read: there the commit replaces it.
   */
  private void writeChunks(PhaseContext context) {
    if (catalog.collection(context.operation(), context.resource()) == null) {
      chunks.write(context, context.data().get("uuid").asUuid(), chunks(context));
    }
  }

  private void commit(PhaseContext context) {
    RawDocument seen = catalog.collection(context.operation(), context.resource());
    if (CollectionDocument.isSharded(seen)) {
      return;
    }
    // Runs of earlier versions have not yet.
    writeChunks(context);
    RawDocument collection = collection(context).toDocument();
    List<RawDocument> planned = chunks(context).stream().map(ChunkDocument::toDocument).toList();
    RawDocument details =
        new BsonBuilder()
            .appendDocument("collection", collection)
            .appendInt32("numChunks", planned.size())
            .toDocument();
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry("shardCollection.end", context.resource(), details),
            change -> {
              if (seen == null) {
                change.insert(CatalogReads.COLLECTIONS, collection);
              } else {
                change.replace(CatalogReads.COLLECTIONS, seen, collection);
                change.deleteAll(
                    CatalogReads.CHUNKS, CatalogReads.ofUuid(collection(context).uuid()));
                change.insert(CatalogReads.CHUNKS, planned);
              }
            });
  }

  private void setTables(PhaseContext context) {
    CollectionDocument collection = collection(context);
    RawDocument event = ShardKeyEvents.sharded(context.arguments());
    for (String shard : owners(context)) {
      boolean tells = shard.equals(primary(context));
      participants.setCollection(
          context,
          shard,
          collection,
          catalog.ranges(context.operation(), collection, shard),
          tells ? event : null);
    }
  }

  private void unblockWrites(PhaseContext context) {
    participants.unblock(context, List.of(primary(context)), context.resource());
  }

  @Override
  public void undo(PhaseContext context) {
    if (primary(context) == null) {
      return;
    }
    if (context.data().get("chunks") != null) {
      for (String shard : owners(context)) {
        if (shard.equals(databasePrimary(context))) {
          undoOnDatabasePrimary(context);
        } else if (!shard.equals(primary(context))) {
          participants.forgetCollection(context, shard, context.resource());
          participants.telling(false).drop(context, shard, Namespace.parse(context.resource()));
        }
      }
      undoOnPrimary(context);
    }
    unblockWrites(context);
    if (context.data().get("uuid") != null) {
      chunks.delete(context, context.data().get("uuid").asUuid());
    }
  }

  /** It has had the collection without documents before. */
  private void undoOnDatabasePrimary(PhaseContext context) {
    String shard = databasePrimary(context);
    String added = DocumentFields.text(context.data(), "added");
    RawDocument moved = catalog.collection(context.operation(), context.resource());
    if (shard.equals(primary(context)) || moved == null) {
      return;
    }
    CollectionDocument collection = CollectionDocument.of(moved);
    participants.setCollection(
        context, shard, collection, catalog.ranges(context.operation(), collection, shard));
    if (added != null) {
      Namespace namespace = Namespace.parse(context.resource());
      participants.telling(false).dropIndexes(context, shard, namespace, List.of(added));
    }
  }

  /** Takes away what was not there before; nothing else writes meanwhile. */
  private void undoOnPrimary(PhaseContext context) {
    Namespace namespace = Namespace.parse(context.resource());
    String added = DocumentFields.text(context.data(), "added");
    RawDocument there = participants.collection(context, primary(context), namespace);
    if (there == null || !isOfThisRun(there, context)) {
      return;
    }
    if (DocumentFields.isTrue(context.data(), "created")) {
      participants.drop(context, primary(context), namespace);
    } else if (added != null) {
      participants.dropIndexes(context, primary(context), namespace, List.of(added));
    }
  }

  private static boolean isOfThisRun(RawDocument entry, PhaseContext context) {
    RawValue uuid = DocumentFields.document(entry, "info").get("uuid");
    return context.data().get("uuid").equals(uuid);
  }

  @Override
  public RawDocument result(PhaseContext context) {
    return reply(context.resource(), context.data().get("uuid").asUuid());
  }
}
