package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.InitialChunks;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.ZoneCheck;
import dev.wisent.sharding.ZoneRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Looks at the collection on its primary shard, and decides how it is sharded: its UUID, the index
 * of the shard key, and its first chunks. For one run.
 */
final class ShardCollectionPlan {
  private static final int CHUNKS_PER_SHARD_MAX = 8192;
  private static final int CHUNKS_MAX = 1_000_000;

  private final ClusterMetadata metadata;
  private final CatalogReads catalog;
  private final Participants participants;
  private final PhaseContext context;
  private final Namespace namespace;
  private final String primary;
  private final ShardKeyPattern key;
  private final boolean unique;

  ShardCollectionPlan(
      ClusterMetadata metadata, DdlParts parts, PhaseContext context, String primary) {
    this.metadata = metadata;
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.context = context;
    this.namespace = Namespace.parse(context.resource());
    this.primary = primary;
    this.key = ShardKeyPattern.of(DocumentFields.document(context.arguments(), "key"));
    this.unique = DocumentFields.isTrue(context.arguments(), "unique");
  }

  /** What later phases need. */
  RawDocument decide() {
    RawDocument existing = participants.collection(context, primary, namespace);
    RawDocument options =
        existing == null ? RawDocument.EMPTY : DocumentFields.document(existing, "options");
    UUID found = existing == null ? null : checked(existing);
    checkUuid(found);
    UUID uuid = found == null ? metadata.random().nextUuid() : found;
    List<RawDocument> indexes =
        existing == null
            ? new ArrayList<>()
            : new ArrayList<>(participants.indexes(context, primary, namespace));
    boolean empty =
        existing == null || !participants.has(context, primary, namespace, RawDocument.EMPTY);
    checkCollation(options);
    var rules = new ShardKeyIndexes(namespace, key, unique);
    rules.checkUnique(indexes);
    var out = new BsonBuilder();
    if (!rules.haveUsable(indexes)) {
      RawDocument added = missingIndex(indexes, empty, options);
      indexes.add(added);
      out.append("added", added.get("name"));
    }
    if (!empty) {
      checkArrays();
    }
    out.appendBoolean("created", existing == null)
        .appendUuid("uuid", uuid)
        .appendDocument("options", options);
    out.append("indexes", DocumentFields.arrayOf(indexes));
    var version = new ChunkVersion(metadata.ids().get(), metadata.clusterTime().tick(), 1, 0);
    out.appendDocument("version", version.toDocument());
    out.startArray("chunks");
    List<Chunk> chunks = chunks(empty, version);
    requireOwners(chunks);
    for (int i = 0; i < chunks.size(); i++) {
      out.startDocument(i);
      chunks.get(i).range().append(out);
      out.appendString("shard", chunks.get(i).shard()).end();
    }
    out.end();
    return CatalogReads.requireSmall(out.toDocument());
  }

  private void requireOwners(List<Chunk> chunks) {
    Set<String> owners = chunks.stream().map(Chunk::shard).collect(Collectors.toSet());
    participants.requireAnswers(context, catalog.shards(context.operation(), owners));
  }

  private UUID checked(RawDocument existing) {
    RawDocument options = DocumentFields.document(existing, "options");
    String type = DocumentFields.text(existing, "type");
    if ("view".equals(type)) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW,
          "Namespace " + namespace + " is a view, not a collection");
    }
    if ("timeseries".equals(type)) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "sharded time-series collections are not supported yet");
    }
    if (DocumentFields.isTrue(options, "capped")) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "can't shard a capped collection");
    }
    return DocumentFields.document(existing, "info").get("uuid").asUuid();
  }

  /**
   * @param found null where there is no collection
   */
  private void checkUuid(UUID found) {
    RawValue expected = context.arguments().get("collectionUUID");
    if (expected != null && !expected.asUuid().equals(found)) {
      throw new CommandException(
          ErrorCode.COLLECTION_UUID_MISMATCH, "Collection UUID does not match that specified");
    }
  }

  private void checkCollation(RawDocument options) {
    RawDocument collation = DocumentFields.document(options, "collation");
    if (!collation.isEmpty() && !DocumentFields.isTrue(context.arguments(), "simpleCollation")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Collection has default collation: "
              + ValueText.of(collation)
              + ". Must specify collation {locale: 'simple'}.");
    }
  }

  private RawDocument missingIndex(List<RawDocument> indexes, boolean empty, RawDocument options) {
    boolean supported = indexes.stream().anyMatch(key::isSupportedBy);
    boolean trusted = DocumentFields.isTrue(context.arguments(), "trustsUniqueness");
    if (unique && supported && !trusted && !empty) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "can't shard collection '%s' with unique shard key %s: the index on it is not unique"
              .formatted(namespace, ValueText.of(key.pattern())));
    }
    if (!empty || DocumentFields.isTrue(context.arguments(), "needsIndex")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Please create an index that starts with the proposed shard key before sharding the"
              + " collection");
    }
    return ShardKeyIndexes.missing(key, unique, options);
  }

  /** The shard key of a document has no arrays. */
  private void checkArrays() {
    for (var each = key.pattern().elements(); each.next(); ) {
      RawDocument filter =
          new BsonBuilder()
              .startDocument(each.name())
              .appendString("$type", "array")
              .end()
              .toDocument();
      if (participants.has(context, primary, namespace, filter)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "can't shard collection '%s': the field %s of the shard key is an array in a document"
                .formatted(namespace, each.name()));
      }
    }
  }

  private List<Chunk> chunks(boolean empty, ChunkVersion version) {
    var room = new ShardsWithRoom(catalog, participants, context);
    List<String> shards = room.orElse(List.of(primary));
    var initial =
        new InitialChunks(namespace, key, version, primary, shards, zoneRanges(), room.ofZones());
    long wanted = DocumentFields.number(context.arguments(), "numInitialChunks");
    long most = (long) CHUNKS_PER_SHARD_MAX * catalog.shardNames(context.operation()).size();
    if (wanted > Math.min(most, CHUNKS_MAX)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "numInitialChunks cannot be more than either: %d, %d * number of shards; or %d"
              .formatted(most, CHUNKS_PER_SHARD_MAX, CHUNKS_MAX));
    }
    boolean presplit = DocumentFields.isTrue(context.arguments(), "presplitHashedZones");
    List<Chunk> chunks = initial.of(empty, (int) wanted, presplit);
    return empty ? chunks : initial.atPoints(pointsOfData());
  }

  private List<ZoneRange> zoneRanges() {
    return catalog.zones(context.operation(), namespace.full()).stream()
        .map(zone -> new ZoneRange(checkedRange(zone), DocumentFields.text(zone, "tag")))
        .toList();
  }

  /** Before there was a shard key, a range could have any fields. */
  private ChunkRange checkedRange(RawDocument zone) {
    ChunkRange range = ChunkRange.of(zone);
    ZoneCheck.check(key, range);
    return range;
  }

  private List<RawDocument> pointsOfData() {
    RawDocument reply =
        participants.read(
            context,
            primary,
            "admin",
            out -> {
              out.appendString("splitVector", namespace.full());
              out.appendDocument("keyPattern", key.pattern());
              out.appendDocument("min", key.globalMin()).appendDocument("max", key.globalMax());
              out.appendInt64("maxChunkSizeBytes", catalog.chunkBytes(context.operation()));
            });
    return DocumentFields.documents(reply, "splitKeys");
  }
}
