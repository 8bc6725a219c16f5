package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
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
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Adds fields to the shard key of a collection. Chunks stay where they are: their bounds get the
 * lowest value of each new field. The collection is neither read nor written while its shards learn
 * of it.
 */
final class RefineShardKeyCoordinator implements Coordinator {
  static final String TYPE = "refineCollectionShardKey";

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final ShardedCollections collections;

  RefineShardKeyCoordinator(ClusterMetadata metadata, DdlParts parts) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.collections = new ShardedCollections(parts);
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
        Phase.untilDone("unblock", this::unblock));
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
                .toDocument());
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry("refineCollectionShardKey.end", context.resource(), changed),
            change -> {
              change.replace(CatalogReads.COLLECTIONS, seen, changed);
              extend(
                  change,
                  CatalogReads.CHUNKS,
                  CatalogReads.ofUuid(CollectionDocument.of(seen).uuid()),
                  newKey(context));
              extend(
                  change,
                  CatalogReads.TAGS,
                  new BsonBuilder().appendString("ns", context.resource()).toDocument(),
                  newKey(context));
            });
  }

  /** Completes the bounds of documents. */
  private static void extend(
      CatalogChange change, String collection, RawDocument filter, RawDocument key) {
    for (RawDocument each : change.find(collection, new FindRequest.Builder().filter(filter))) {
      RawDocument after = each;
      for (String bound : List.of("min", "max")) {
        RawDocument full = extended(DocumentFields.document(each, bound), key);
        after = DocumentFields.with(after, bound, RawValue.ofDocument(full));
      }
      change.replace(collection, each, after);
    }
  }

  /** New fields have the lowest value; beyond the last key they have the highest. */
  private static RawDocument extended(RawDocument bound, RawDocument key) {
    boolean last = true;
    for (ElementCursor values = bound.elements(); values.next(); ) {
      last &= values.value().type() == ElementType.MAX_KEY;
    }
    var out = new BsonBuilder().appendAll(bound);
    for (ElementCursor fields = key.elements(); fields.next(); ) {
      if (bound.get(fields.name()) == null) {
        out.append(fields.name(), last ? RawValue.MAX_KEY : RawValue.MIN_KEY);
      }
    }
    return out.toDocument();
  }

  private void setTables(PhaseContext context) {
    CollectionDocument collection = collections.require(context);
    RawDocument old = DocumentFields.document(context.data(), "oldKey");
    RawDocument event = ShardKeyEvents.refined(newKey(context), old);
    List<String> shards = shards(context);
    for (String shard : shards) {
      List<ChunkDocument> chunks = catalog.chunks(context.operation(), collection.uuid());
      // The primary of the database is the last.
      boolean tells = shard.equals(shards.getLast());
      participants.setCollection(context, shard, collection, chunks, tells ? event : null);
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
