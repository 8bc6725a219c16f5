package dev.wisent.cluster.config.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The documents that stand for migrations under way, in transactions on metadata. */
public final class GrantedMigrations {
  public static final String COLLECTION = "migrations";

  static final String CHUNKS = "chunks";
  private static final String VERSION = "version";
  private static final RawDocument LAST_FIRST = RawDocument.parse("{min: -1}");
  private static final RawDocument NEWEST_FIRST = RawDocument.parse("{lastmod: -1}");

  private GrantedMigrations() {}

  static RawDocument document(UUID id, MoveRange move) {
    var out = new BsonBuilder(512).appendUuid("_id", id).appendString("ns", move.namespace());
    out.appendUuid("uuid", move.uuid());
    move.range().append(out);
    return out.appendString("fromShard", move.from())
        .appendString("toShard", move.to())
        .toDocument();
  }

  /** Null where there is none. */
  static RawDocument find(CatalogChange change, UUID id) {
    return change.findOne(COLLECTION, DocumentFields.byId(RawValue.ofUuid(id)));
  }

  /** The collection of a migration; fails where it is no longer the same. */
  static CollectionDocument require(RawDocument found, MoveRange move) {
    if (found == null || !CollectionDocument.of(found).uuid().equals(move.uuid())) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_SHARDED, "Collection " + move.namespace() + " is not sharded");
    }
    return CollectionDocument.of(found);
  }

  /**
   * Fails where the shard key has changed while the request waited: its bounds are of the old one.
   */
  static void requireKey(CollectionDocument collection, MoveRange move) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    if (key.normalized(move.range().min()) == null || key.normalized(move.range().max()) == null) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "The shard key of %s has changed since the range was chosen".formatted(move.namespace()));
    }
  }

  /** The same; fails where its chunks must not be moved. */
  static CollectionDocument requireAllowed(RawDocument found, MoveRange move) {
    CollectionDocument collection = require(found, move);
    if (!CollectionDocument.mayMigrate(found)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "Migrations of collection " + move.namespace() + " are not allowed");
    }
    return collection;
  }

  /**
   * Gives a migration a version; null while another one of the collection has one. Fails where
   * migrations have been forbidden since it was granted.
   */
  static ChunkVersion reserve(CatalogChange change, UUID id, RawDocument found, MoveRange move) {
    RawDocument own = find(change, id);
    if (own.get(VERSION) != null) {
      return ChunkVersion.of(own.get(VERSION).asDocument());
    }
    CollectionDocument collection = requireAllowed(found, move);
    if (change.findOne(COLLECTION, ofReserved(move.namespace())) != null) {
      return null;
    }
    ChunkVersion version = newest(change, collection).nextMajor();
    change.replace(
        COLLECTION,
        own,
        DocumentFields.with(own, VERSION, RawValue.ofDocument(version.toDocument())));
    return version;
  }

  static ChunkVersion newest(CatalogChange change, CollectionDocument collection) {
    RawDocument newest =
        change
            .find(
                CHUNKS,
                new FindRequest.Builder()
                    .filter(ofUuid(collection.uuid()))
                    .sort(NEWEST_FIRST)
                    .limit(1))
            .getFirst();
    return ChunkVersion.of(
        collection.epoch(), collection.timestamp(), newest.get("lastmod").asInt64());
  }

  private static RawDocument ofUuid(UUID uuid) {
    return new BsonBuilder().appendUuid("uuid", uuid).toDocument();
  }

  /** The migrations of a collection that have a version: their donors may decide at any time. */
  public static Set<UUID> reserved(
      CatalogStore store, OperationContext operation, String namespace) {
    RawDocument filter = ofReserved(namespace);
    return store.find(operation, COLLECTION, filter).stream()
        .map(each -> each.get("_id").asUuid())
        .collect(Collectors.toSet());
  }

  private static RawDocument ofReserved(String namespace) {
    return new BsonBuilder()
        .appendString("ns", namespace)
        .startDocument(VERSION)
        .appendBoolean("$exists", true)
        .end()
        .toDocument();
  }

  /** The chunk that a range is in; fails where it is in several. */
  static RawDocument chunkOf(CatalogChange change, UUID uuid, ChunkRange range) {
    RawDocument found = chunkAt(change, uuid, range.min());
    if (found == null
        || ValueOrder.compare(range.max(), ChunkDocument.of(found).range().max()) > 0) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "No chunk has the range from %s to %s"
              .formatted(ValueText.of(range.min()), ValueText.of(range.max())));
    }
    return found;
  }

  /** The chunk that has a key; null where there is none. */
  static RawDocument chunkAt(CatalogChange change, UUID uuid, RawDocument key) {
    var filter = new BsonBuilder().appendUuid("uuid", uuid);
    filter.startDocument("min").appendDocument("$lte", key).end();
    var request = new FindRequest.Builder().filter(filter.toDocument()).sort(LAST_FIRST).limit(1);
    return change.find(CHUNKS, request).stream().findFirst().orElse(null);
  }

  /**
   * Another chunk of a shard; null where it has none.
   *
   * @param except one that has gone: reads of a change do not see what it has deleted
   */
  static RawDocument chunkOf(CatalogChange change, UUID uuid, String shard, RawDocument except) {
    var filter = new BsonBuilder().appendUuid("uuid", uuid).appendString("shard", shard);
    filter.startDocument("_id").append("$ne", except.get("_id")).end();
    return change.findOne(CHUNKS, filter.toDocument());
  }

  /**
   * Fails where a migration of keys of a range is under way: its chunk must not change before it
   * has ended.
   */
  public static void requireNone(
      CatalogChange change, UUID uuid, RawDocument min, RawDocument max) {
    for (RawDocument each :
        change.find(COLLECTION, new FindRequest.Builder().filter(ofUuid(uuid)))) {
      ChunkRange moving = ChunkRange.of(each);
      if (ValueOrder.compare(moving.min(), max) < 0 && ValueOrder.compare(min, moving.max()) < 0) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "The range %s is being moved from shard %s to shard %s"
                .formatted(
                    moving,
                    DocumentFields.text(each, "fromShard"),
                    DocumentFields.text(each, "toShard")));
      }
    }
  }
}
