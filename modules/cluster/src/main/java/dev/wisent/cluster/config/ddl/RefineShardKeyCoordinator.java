package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.operation.FindRequest;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Adds fields to the shard key of a collection. Chunks stay where they are: their bounds get the
 * lowest value of each new field. The collection is neither read nor written while its shards learn
 * of it. The entry of the collection changes in one transaction. From then on chunks are read as if
 * their bounds were complete, and at the end they are completed in pages.
 */
final class RefineShardKeyCoordinator implements Coordinator {
  static final String TYPE = "refineCollectionShardKey";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final ShardedCollections collections;
  private final RefinedChunks chunks;

  RefineShardKeyCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.collections = new ShardedCollections(parts);
    this.chunks = new RefinedChunks(metadata);
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return ResourceLock.ofCollection(resource);
  }

  private static RawDocument newKey(PhaseContext context) {
    return DocumentFields.document(context.arguments(), "key");
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    RawDocument found = catalog.collection(context.operation(), context.resource());
    if (!CollectionDocument.isSharded(found)) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED,
          "Can't execute refineCollectionShardKey on unsharded collection " + context.resource());
    }
    CollectionDocument collection = CollectionDocument.of(found);
    RawValue expected = context.arguments().get("collectionUUID");
    if (expected != null && !expected.asUuid().equals(collection.uuid())) {
      throw new CommandException(
          ErrorCode.COLLECTION_UUID_MISMATCH, "Collection UUID does not match that specified");
    }
    RawDocument key = newKey(context);
    if (collection.key().equals(key)) {
      return Optional.of(RawDocument.EMPTY);
    }
    if (!ShardKeyPattern.of(collection.key()).isPrefixOf(key)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "refineCollectionShardKey shard key %s does not extend the current shard key %s"
              .formatted(ValueText.of(key), ValueText.of(collection.key())));
    }
    catalog.requireFewZones(context.operation(), context.resource());
    return Optional.empty();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("begin", this::begin),
        Phase.reversible("block", this::block),
        Phase.reversible("checkIndexes", this::checkIndexes),
        Phase.untilDone("commit", this::commit),
        Phase.untilDone("setTables", this::setTables),
        Phase.untilDone("unblock", this::unblock),
        Phase.untilDone("completeChunks", chunks::complete));
  }

  private RawDocument begin(PhaseContext context) {
    collections.requireAnswers(context);
    var version = new ChunkVersion(metadata.ids().get(), metadata.clusterTime().tick(), 0, 0);
    return new BsonBuilder()
        .append("shards", DocumentFields.arrayOfTexts(collections.shards(context)))
        .appendDocument("version", version.toDocument())
        .appendDocument("oldKey", collections.require(context).key())
        .toDocument();
  }

  private static List<String> shards(PhaseContext context) {
    return DocumentFields.texts(context.data(), "shards");
  }

  private void block(PhaseContext context) {
    participants.hide(context, shards(context), context.resource());
  }

  private void checkIndexes(PhaseContext context) {
    CollectionDocument collection = collections.require(context);
    boolean unique =
        collection.unique() && !DocumentFields.isTrue(context.arguments(), "trustsUniqueness");
    var rules =
        new ShardKeyIndexes(collection.namespace(), ShardKeyPattern.of(newKey(context)), unique);
    for (String shard : shards(context)) {
      List<RawDocument> indexes = participants.indexes(context, shard, collection.namespace());
      rules.checkUnique(indexes);
      if (!rules.haveUsable(indexes)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "Please create an index that starts with the proposed shard key before refining the"
                + " shard key of the collection");
      }
    }
  }

  private void commit(PhaseContext context) {
    RawDocument seen = catalog.collection(context.operation(), context.resource());
    if (CollectionDocument.of(seen).key().equals(newKey(context))) {
      return;
    }
    ChunkVersion version = ChunkVersion.of(DocumentFields.document(context.data(), "version"));
    RawDocument changed =
        DocumentFields.merged(
            seen,
            new BsonBuilder()
                .appendObjectId("lastmodEpoch", version.epoch())
                .appendDate("lastmod", metadata.clock().wallMillis())
                .appendTimestamp("timestamp", version.timestamp())
                .appendDocument("key", newKey(context))
                .appendBoolean(CollectionDocument.OLD_BOUNDS, true)
                .toDocument());
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry("refineCollectionShardKey.end", context.resource(), changed),
            change -> {
              change.replace(CatalogReads.COLLECTIONS, seen, changed);
              completeZones(change, context);
            });
  }

  /**
   * Completes the ranges of zones. There are few, compared with chunks, and nothing reads them with
   * bounds of the old key.
   */
  private static void completeZones(CatalogChange change, PhaseContext context) {
    ShardKeyPattern key = ShardKeyPattern.of(newKey(context));
    RawDocument filter = new BsonBuilder().appendString("ns", context.resource()).toDocument();
    for (RawDocument each :
        change.find(CatalogReads.TAGS, new FindRequest.Builder().filter(filter))) {
      change.replace(CatalogReads.TAGS, each, RefinedChunks.completed(each, key));
    }
  }

  private void setTables(PhaseContext context) {
    CollectionDocument collection = collections.require(context);
    RawDocument old = DocumentFields.document(context.data(), "oldKey");
    RawDocument event = ShardKeyEvents.refined(newKey(context), old);
    List<String> shards = shards(context);
    for (String shard : shards) {
      // The primary of the database is the last.
      boolean tells = shard.equals(shards.getLast());
      ShardRanges ranges = catalog.ranges(context.operation(), collection, shard);
      participants.setCollection(context, shard, collection, ranges, tells ? event : null);
    }
  }

  private void unblock(PhaseContext context) {
    participants.unblock(context, shards(context), context.resource());
  }

  @Override
  public void undo(PhaseContext context) {
    unblock(context);
  }
}
