package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** What the metadata says about databases, collections and shards. */
final class CatalogReads {
  static final String DATABASES = "databases";
  static final String COLLECTIONS = "collections";
  static final String CHUNKS = "chunks";
  static final String SHARDS = "shards";
  static final String TAGS = "tags";

  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;
  private static final int MEGABYTE = 1 << 20;

  /** So many chunks are read by one operation. */
  private static final int PAGE_CHUNKS = 10_000;

  private final CatalogStore store;

  CatalogReads(CatalogStore store) {
    this.store = store;
  }

  /** Null where there is none. */
  RawDocument database(OperationContext operation, String name) {
    return store.findById(operation, DATABASES, name);
  }

  RawDocument requireDatabase(OperationContext operation, String name) {
    RawDocument found = database(operation, name);
    if (found == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "database " + name + " not found");
    }
    return found;
  }

  String primaryOf(OperationContext operation, String database) {
    return DocumentFields.text(requireDatabase(operation, database), "primary");
  }

  static DatabaseVersion versionOf(RawDocument database) {
    return DatabaseVersion.of(DocumentFields.document(database, "version"));
  }

  List<RawDocument> databases(OperationContext operation) {
    return store.find(operation, DATABASES, RawDocument.EMPTY);
  }

  /** Null where the collection is not sharded. */
  RawDocument collection(OperationContext operation, String namespace) {
    return store.findById(operation, COLLECTIONS, namespace);
  }

  /** The name of a sharded collection of a database; null where there is none with the UUID. */
  String nameOf(OperationContext operation, String database, UUID uuid) {
    RawDocument found =
        store.findOne(
            operation, COLLECTIONS, new BsonBuilder().appendUuid("uuid", uuid).toDocument());
    Namespace name = found == null ? null : Namespace.parse(found.get("_id").asString());
    return name == null || !name.database().equals(database) ? null : name.collection();
  }

  CollectionDocument requireSharded(OperationContext operation, String namespace) {
    RawDocument found = collection(operation, namespace);
    if (found == null) {
      throw notSharded(namespace);
    }
    return CollectionDocument.of(found);
  }

  static CommandException notSharded(String namespace) {
    return new CommandException(
        ErrorCode.NAMESPACE_NOT_SHARDED, "Collection " + namespace + " is not sharded");
  }

  /** The sharded collections of a database. */
  List<CollectionDocument> collectionsOf(OperationContext operation, String database) {
    return store.find(operation, COLLECTIONS, RawDocument.EMPTY).stream()
        .map(CollectionDocument::of)
        .filter(collection -> collection.namespace().database().equals(database))
        .toList();
  }

  /** The shard of a collection that is not sharded. */
  String onlyShard(OperationContext operation, RawDocument tracked) {
    return store
        .findOne(operation, CHUNKS, ofUuid(tracked.get("uuid").asUuid()))
        .get("shard")
        .asString();
  }

  /** Hands on the chunks of a collection, in the order of their keys, and keeps none of them. */
  void eachChunk(OperationContext operation, UUID uuid, Consumer<ChunkDocument> chunks) {
    eachChunk(operation, ofUuid(uuid), chunks);
  }

  /** In pages, so that none takes long. */
  private void eachChunk(
      OperationContext operation, RawDocument those, Consumer<ChunkDocument> chunks) {
    var last = new AtomicReference<RawDocument>();
    var count = new AtomicInteger();
    do {
      count.set(0);
      var filter = new BsonBuilder().appendAll(those);
      if (last.get() != null) {
        filter.startDocument("min").appendDocument("$gt", last.get()).end();
      }
      store.each(
          operation,
          CHUNKS,
          new FindRequest.Builder().filter(filter.toDocument()).sort(BY_MIN).limit(PAGE_CHUNKS),
          found -> {
            ChunkDocument chunk = ChunkDocument.of(found.detached());
            chunks.accept(chunk);
            last.set(chunk.range().min());
            count.incrementAndGet();
          });
    } while (count.get() == PAGE_CHUNKS);
  }

  /** What a shard owns of a collection. */
  ShardRanges ranges(OperationContext operation, CollectionDocument collection, String shard) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    var ranges = new ShardRanges();
    eachChunk(
        operation,
        ofShard(collection.uuid(), shard),
        chunk -> ranges.add(key.completed(chunk.range()), chunk.lastmod()));
    return ranges;
  }

  private static RawDocument ofShard(UUID uuid, String shard) {
    return new BsonBuilder().appendUuid("uuid", uuid).appendString("shard", shard).toDocument();
  }

  /** The shards that have chunks of a collection. */
  Set<String> owners(OperationContext operation, UUID uuid) {
    var owners = new LinkedHashSet<String>();
    for (String shard : shardNames(operation)) {
      if (store.findOne(operation, CHUNKS, ofShard(uuid, shard)) != null) {
        owners.add(shard);
      }
    }
    return owners;
  }

  static RawDocument ofUuid(UUID uuid) {
    return new BsonBuilder().appendUuid("uuid", uuid).toDocument();
  }

  /** The shards that have chunks of a collection, and the primary of its database. */
  Set<String> participants(OperationContext operation, CollectionDocument collection) {
    Namespace namespace = collection.namespace();
    Set<String> shards = owners(operation, collection.uuid());
    String primary = primaryOf(operation, namespace.database());
    shards.remove(primary);
    shards.add(primary);
    return shards;
  }

  List<RawDocument> shards(OperationContext operation) {
    return store.find(operation, SHARDS, RawDocument.EMPTY);
  }

  /** Those with some names. */
  List<RawDocument> shards(OperationContext operation, Collection<String> names) {
    return shards(operation).stream()
        .filter(shard -> names.contains(shard.get("_id").asString()))
        .toList();
  }

  /** All shards by name. */
  List<String> shardNames(OperationContext operation) {
    return names(shards(operation));
  }

  /** All shards, the primary of a database last: it has everything until the others are done. */
  List<String> shardsEndingWith(OperationContext operation, String primary) {
    var names = new ArrayList<>(shardNames(operation));
    names.remove(primary);
    names.add(primary);
    return names;
  }

  /** Those that get new data. */
  List<RawDocument> stayingShards(OperationContext operation) {
    List<RawDocument> staying =
        shards(operation).stream()
            .filter(shard -> !DocumentFields.isTrue(shard, "draining"))
            .toList();
    if (staying.isEmpty()) {
      throw new CommandException(ErrorCode.SHARD_NOT_FOUND, "No shards found");
    }
    return staying;
  }

  static List<String> names(List<RawDocument> shards) {
    return shards.stream().map(shard -> shard.get("_id").asString()).toList();
  }

  /** Fails for a shard that cannot become the primary of a database. */
  void checkTakesData(OperationContext operation, String name) {
    RawDocument shard = store.findById(operation, SHARDS, name);
    if (shard == null || DocumentFields.isTrue(shard, "draining")) {
      throw new CommandException(
          ErrorCode.SHARD_NOT_FOUND,
          "Requested primary shard %s %s"
              .formatted(name, shard == null ? "does not exist" : "is draining"));
    }
  }

  /** The ranges of zones of a collection, in the order of their keys. */
  List<RawDocument> zones(OperationContext operation, String namespace) {
    RawDocument filter = new BsonBuilder().appendString("ns", namespace).toDocument();
    return store.find(operation, TAGS, new FindRequest.Builder().filter(filter).sort(BY_MIN));
  }

  /** Fails where the ranges of zones are too many to be changed with their collection. */
  void requireFewZones(OperationContext operation, String namespace) {
    long bytes = zones(operation, namespace).stream().mapToLong(RawDocument::length).sum();
    if (bytes > Limits.ZONES_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "The ranges of zones of %s take %d bytes of metadata and cannot be changed with it: at most %d bytes can"
              .formatted(namespace, bytes, Limits.ZONES_BYTES_MAX));
    }
  }

  /** Fails where a plan is too large to be stored. */
  static RawDocument requireSmall(RawDocument plan) {
    if (plan.length() > Limits.PLAN_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "The first chunks take %d bytes, and at most %d can be: begin with fewer chunks and split them"
              .formatted(plan.length(), Limits.PLAN_BYTES_MAX));
    }
    return plan;
  }

  /** How large a chunk may become. */
  long chunkBytes(OperationContext operation) {
    RawDocument setting = store.findById(operation, "settings", "chunksize");
    long megabytes = setting == null ? 0 : DocumentFields.number(setting, "value");
    return (megabytes == 0 ? CHUNK_MEGABYTES_DEFAULT : megabytes) * MEGABYTE;
  }
}
