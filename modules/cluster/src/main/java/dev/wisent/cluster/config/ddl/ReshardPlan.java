package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Decides what a collection becomes: its new UUID, indexes and chunks. One that is not sharded but
 * lies on another shard than the primary of its database has one chunk of all {@code _id}s, and is
 * marked as {@code unsplittable}. For one run.
 */
final class ReshardPlan {
  private static final RawDocument BY_ID = RawDocument.parse("{_id: 1}");
  private static final String TEMPORARY_PREFIX = "system.resharding.";

  private final String type;
  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final PhaseContext context;
  private final Namespace namespace;
  private final String primary;

  /** As {@code config.collections} has it; null for none. */
  private final RawDocument tracked;

  ReshardPlan(String type, ClusterMetadata metadata, DdlParts parts, PhaseContext context) {
    this.type = type;
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.context = context;
    this.namespace = Namespace.parse(context.resource());
    this.primary = catalog.primaryOf(context.operation(), namespace.database());
    this.tracked = catalog.collection(context.operation(), context.resource());
  }

  private boolean reshards() {
    return type.equals(ReshardCoordinator.RESHARD);
  }

  private boolean isSharded() {
    return CollectionDocument.isSharded(tracked);
  }

  /** Fails where it makes no sense; whether there is nothing to do. */
  boolean isDone() {
    if (type.equals(ReshardCoordinator.MOVE)) {
      requireUnsharded();
      // On the primary, where its database has followed it, it need not be in the metadata.
      boolean leaves = tracked != null && toShard().equals(primary);
      return toShard().equals(onlyShard()) && !leaves;
    }
    if (!isSharded()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED,
          "Namespace %s must be sharded to perform a %s command".formatted(namespace, type));
    }
    CollectionDocument collection = CollectionDocument.of(tracked);
    RawValue expected = context.arguments().get("collectionUUID");
    if (expected != null && !expected.asUuid().equals(collection.uuid())) {
      throw new CommandException(
          ErrorCode.COLLECTION_UUID_MISMATCH, "Collection UUID does not match that specified");
    }
    if (!reshards()) {
      toShard();
    }
    catalog.requireFewZones(context.operation(), namespace.full());
    return reshards()
        && collection.key().equals(key().pattern())
        && !DocumentFields.isTrue(context.arguments(), "forceRedistribution");
  }

  private void requireUnsharded() {
    if (isSharded()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND,
          "MoveCollection can only be called on an unsharded collection.");
    }
  }

  /** Where a collection is that is not sharded. */
  private String onlyShard() {
    return tracked == null ? primary : catalog.onlyShard(context.operation(), tracked);
  }

  private String toShard() {
    String given = DocumentFields.text(context.arguments(), "toShard");
    if (given == null) {
      return primary;
    }
    List<RawDocument> found = catalog.shards(context.operation(), List.of(given));
    if (found.isEmpty() || DocumentFields.isTrue(found.getFirst(), "draining")) {
      throw new CommandException(
          ErrorCode.SHARD_NOT_FOUND,
          "Shard %s %s".formatted(given, found.isEmpty() ? "does not exist" : "is draining"));
    }
    return given;
  }

  private ShardKeyPattern key() {
    return ShardKeyPattern.of(
        reshards() ? DocumentFields.document(context.arguments(), "key") : BY_ID);
  }

  /** What later phases need. */
  RawDocument decide() {
    List<String> shards = catalog.shardsEndingWith(context.operation(), primary);
    participants.requireAnswers(context, catalog.shards(context.operation(), shards));
    RawDocument existing = participants.collection(context, primary, namespace);
    UUID uuid = checked(existing);
    List<String> donors = donors();
    RawDocument options = DocumentFields.document(existing, "options");
    List<RawDocument> indexes = indexes(options);
    ChunkVersion version =
        new ChunkVersion(metadata.ids().get(), metadata.clusterTime().tick(), 1, 0);
    var out = new BsonBuilder().appendDate("startTime", metadata.clock().wallMillis());
    out.append("shards", DocumentFields.arrayOfTexts(shards));
    out.append("donors", DocumentFields.arrayOfTexts(donors));
    out.appendUuid("uuid", uuid).appendUuid("newUuid", metadata.random().nextUuid());
    out.appendString("temporary", namespace.database() + "." + TEMPORARY_PREFIX + uuid);
    out.appendDocument("options", options).append("indexes", DocumentFields.arrayOf(indexes));
    out.appendDocument("key", key().pattern()).appendDocument("version", version.toDocument());
    if (reshards()) {
      out.append("oldKey", tracked.get("key"));
      checkArrays(donors);
      var chunks = new ReshardChunks(catalog, participants, context, key(), tracked, donors);
      chunks.append(out);
    } else {
      out.startArray("chunks").startDocument(0);
      new ChunkRange(key().globalMin(), key().globalMax()).append(out);
      out.appendString("shard", toShard()).end().end();
      out.appendBoolean(toShard().equals(primary) ? "untracked" : "unsplittable", true);
    }
    return CatalogReads.requireSmall(out.toDocument());
  }

  private UUID checked(RawDocument existing) {
    if (existing == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "collection " + namespace + " not found");
    }
    String kind = DocumentFields.text(existing, "type");
    if ("view".equals(kind)) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW,
          "Namespace " + namespace + " is a view, not a collection");
    }
    RawDocument options = DocumentFields.document(existing, "options");
    if ("timeseries".equals(kind) || DocumentFields.isTrue(options, "capped")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "%s of a %s collection is not supported"
              .formatted(type, "timeseries".equals(kind) ? "time-series" : "capped"));
    }
    boolean simple = DocumentFields.isTrue(context.arguments(), "simpleCollation");
    RawDocument collation = DocumentFields.document(options, "collation");
    if (reshards() && !collation.isEmpty() && !simple) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Collection has default collation: "
              + ValueText.of(collation)
              + ". Must specify collation {locale: 'simple'}.");
    }
    return DocumentFields.document(existing, "info").get("uuid").asUuid();
  }

  /** The shards that have documents. */
  private List<String> donors() {
    if (tracked == null) {
      return List.of(primary);
    }
    return List.copyOf(catalog.owners(context.operation(), tracked.get("uuid").asUuid()));
  }

  /** Those of the collection, and one that supports the shard key. */
  private List<RawDocument> indexes(RawDocument options) {
    var indexes = new ArrayList<>(participants.indexes(context, primary, namespace));
    var rules = new ShardKeyIndexes(namespace, key(), false);
    if (reshards()) {
      rules.checkUnique(indexes);
      if (!rules.haveUsable(indexes)) {
        indexes.add(ShardKeyIndexes.missing(key(), false, options));
      }
    }
    return indexes;
  }

  /** The shard key of a document has no arrays. */
  private void checkArrays(List<String> donors) {
    for (var each = key().pattern().elements(); each.next(); ) {
      RawDocument filter =
          new BsonBuilder()
              .startDocument(each.name())
              .appendString("$type", "array")
              .end()
              .toDocument();
      for (String donor : donors) {
        if (participants.has(context, donor, namespace, filter)) {
          throw new CommandException(
              ErrorCode.SHARD_KEY_NOT_FOUND,
              "can't reshard collection '%s': the field %s of the shard key is an array in a document"
                  .formatted(namespace, each.name()));
        }
      }
    }
  }

  /** The new collection. */
  static CollectionDocument collection(PhaseContext context, long wallMillis) {
    RawDocument data = context.data();
    ChunkVersion version = ChunkVersion.of(DocumentFields.document(data, "version"));
    return new CollectionDocument(
        Namespace.parse(context.resource()),
        version.epoch(),
        version.timestamp(),
        wallMillis,
        data.get("newUuid").asUuid(),
        DocumentFields.document(data, "key"),
        false,
        DocumentFields.document(DocumentFields.document(data, "options"), "collation"),
        false,
        true,
        0,
        DocumentFields.isTrue(data, "unsplittable"));
  }

  /** The chunks of the new collection. */
  static List<ChunkDocument> chunks(PhaseContext context, ObjectIds ids) {
    var chunks = new ArrayList<ChunkDocument>();
    UUID uuid = context.data().get("newUuid").asUuid();
    ChunkVersion version = ChunkVersion.of(DocumentFields.document(context.data(), "version"));
    for (RawDocument each : DocumentFields.documents(context.data(), "chunks")) {
      var chunk =
          new Chunk(ChunkRange.of(each), DocumentFields.text(each, "shard"), version, false);
      chunks.add(ChunkDocument.first(ids.get(), uuid, chunk, version.timestamp()));
      version = version.nextMinor();
    }
    return chunks;
  }
}
