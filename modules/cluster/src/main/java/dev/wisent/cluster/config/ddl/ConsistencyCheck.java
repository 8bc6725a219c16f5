package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Compares the metadata of databases with what their shards have. For one check. */
final class ConsistencyCheck {
  private static final Set<String> OF_A_PLACE = Set.of("v", "ns", "background");

  private final CatalogReads catalog;
  private final Participants participants;
  private final OperationContext operation;
  private final boolean checksIndexes;
  private final List<RawDocument> found = new ArrayList<>();

  ConsistencyCheck(ClusterMetadata metadata, OperationContext operation, boolean checksIndexes) {
    DdlParts parts = DdlParts.of(metadata);
    this.catalog = parts.catalog();
    this.participants = parts.participants();
    this.operation = operation;
    this.checksIndexes = checksIndexes;
  }

  /**
   * Checks a database.
   *
   * @param only one of its collections; null for all
   * @return what is wrong, as {@code checkMetadataConsistency} shows it
   */
  List<RawDocument> check(String database, Namespace only) {
    found.clear();
    RawDocument known = catalog.database(operation, database);
    if (known == null) {
      catalog.collectionsOf(operation, database).forEach(this::addHidden);
      return List.copyOf(found);
    }
    Map<Namespace, CollectionDocument> sharded = new LinkedHashMap<>();
    for (CollectionDocument each : catalog.collectionsOf(operation, database)) {
      if (only == null || only.equals(each.namespace())) {
        sharded.put(each.namespace(), each);
        checkChunks(each);
        checkZones(each);
      }
    }
    Map<String, Map<String, RawDocument>> onShards = new LinkedHashMap<>();
    for (String shard : catalog.shardNames(operation)) {
      onShards.put(shard, collectionsOn(shard, database, only));
    }
    String primary = DocumentFields.text(known, "primary");
    for (var shard : onShards.entrySet()) {
      shard
          .getValue()
          .forEach(
              (name, entry) ->
                  checkEntry(
                      shard.getKey(), primary, new Namespace(database, name), entry, sharded));
    }
    sharded.values().forEach(each -> checkShards(each, onShards));
    onShards.keySet().forEach(shard -> checkBackup(shard, sharded));
    return List.copyOf(found);
  }

  /** What a shard has lost by being restored from an older backup. */
  private void checkBackup(String shard, Map<Namespace, CollectionDocument> sharded) {
    List<RawDocument> missing =
        participants.readAll(
            operation, shard, "config", out -> out.appendString("find", "missingRanges"));
    for (RawDocument each : missing) {
      CollectionDocument collection =
          sharded.get(Namespace.parse(DocumentFields.text(each, "nss")));
      if (collection != null && each.get("collectionUuid").asUuid().equals(collection.uuid())) {
        add(
            "RangeMissingInBackup",
            "A shard was restored from a backup that does not have the documents of a range",
            out -> {
              name(collection, out);
              out.appendString("shard", shard).append("range", each.get("range"));
            });
      }
    }
  }

  private Map<String, RawDocument> collectionsOn(String shard, String database, Namespace only) {
    RawDocument filter =
        only == null
            ? RawDocument.parse("{type: 'collection'}")
            : new BsonBuilder().appendString("name", only.collection()).toDocument();
    var entries = new LinkedHashMap<String, RawDocument>();
    for (RawDocument entry : participants.collections(operation, shard, database, filter)) {
      String name = DocumentFields.text(entry, "name");
      if (!name.startsWith("system.")) {
        entries.put(name, entry);
      }
    }
    return entries;
  }

  private void add(String type, String description, Consumer<BsonBuilder> details) {
    var out = new BsonBuilder();
    out.appendString("type", type).appendString("description", description);
    out.startDocument("details");
    details.accept(out);
    found.add(out.end().toDocument());
  }

  private void addHidden(CollectionDocument collection) {
    add(
        "HiddenShardedCollection",
        "The database of a sharded collection is not in the config servers",
        out -> name(collection, out));
  }

  private static void name(CollectionDocument collection, BsonBuilder out) {
    out.appendString("namespace", collection.namespace().full());
    out.appendUuid("collectionUUID", collection.uuid());
  }

  private void checkChunks(CollectionDocument collection) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    RawDocument stored = catalog.collection(operation, collection.namespace().full());
    boolean completes = stored != null && CollectionDocument.hasOldBounds(stored);
    var first = new AtomicReference<ChunkRange>();
    var before = new AtomicReference<ChunkDocument>();
    catalog.eachChunk(
        operation,
        collection.uuid(),
        found -> {
          ChunkDocument chunk = completes ? found.with(key.completed(found.range())) : found;
          checkBounds(collection, key, chunk);
          if (before.get() != null) {
            checkNeighbours(collection, before.get(), chunk);
          }
          first.compareAndSet(null, chunk.range());
          before.set(chunk);
        });
    if (before.get() == null) {
      add(
          "MissingRoutingTable",
          "The collection has no chunks in the config servers",
          out -> name(collection, out));
    } else {
      checkEnds(collection, key, first.get().min(), before.get().range().max());
    }
  }

  private void checkBounds(
      CollectionDocument collection, ShardKeyPattern key, ChunkDocument chunk) {
    if (key.normalized(chunk.range().min()) == null
        || key.normalized(chunk.range().max()) == null) {
      add(
          "CorruptedChunkShardKey",
          "A chunk has bounds that are no shard keys of its collection",
          out -> {
            name(collection, out);
            out.appendDocument("chunk", chunk.toDocument());
            out.appendDocument("shardKeyPattern", collection.key());
          });
    }
  }

  private void checkEnds(
      CollectionDocument collection, ShardKeyPattern key, RawDocument first, RawDocument last) {
    if (ValueOrder.compare(first, key.globalMin()) != 0) {
      add(
          "RoutingTableMissingMinKey",
          "The first chunk of a collection does not begin at the lowest key",
          out -> {
            name(collection, out);
            out.appendDocument("minKey", first).appendDocument("globalMin", key.globalMin());
          });
    }
    if (ValueOrder.compare(last, key.globalMax()) != 0) {
      add(
          "RoutingTableMissingMaxKey",
          "The last chunk of a collection does not end at the highest key",
          out -> {
            name(collection, out);
            out.appendDocument("maxKey", last).appendDocument("globalMax", key.globalMax());
          });
    }
  }

  private void checkNeighbours(
      CollectionDocument collection, ChunkDocument before, ChunkDocument chunk) {
    int order = ValueOrder.compare(before.range().max(), chunk.range().min());
    if (order != 0) {
      add(
          order < 0 ? "RoutingTableRangeGap" : "RoutingTableRangeOverlap",
          order < 0
              ? "There is a gap between two chunks of a collection"
              : "Two chunks of a collection overlap",
          out -> {
            name(collection, out);
            out.appendDocument("chunk1", before.toDocument());
            out.appendDocument("chunk2", chunk.toDocument());
          });
    }
  }

  private void checkZones(CollectionDocument collection) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    RawDocument before = null;
    for (RawDocument zone : catalog.zones(operation, collection.namespace().full())) {
      RawDocument min = DocumentFields.document(zone, "min");
      if (key.normalized(min) == null
          || key.normalized(DocumentFields.document(zone, "max")) == null) {
        add(
            "CorruptedZoneShardKey",
            "A zone has bounds that are no shard keys of its collection",
            out -> {
              name(collection, out);
              out.appendDocument("zone", zone);
              out.appendDocument("shardKeyPattern", collection.key());
            });
      }
      RawDocument earlier = before;
      if (earlier != null && ValueOrder.compare(DocumentFields.document(earlier, "max"), min) > 0) {
        add(
            "ZonesRangeOverlap",
            "Two zones of a collection overlap",
            out -> {
              name(collection, out);
              out.appendDocument("zone1", earlier).appendDocument("zone2", zone);
            });
      }
      before = zone;
    }
  }

  private void checkEntry(
      String shard,
      String primary,
      Namespace namespace,
      RawDocument entry,
      Map<Namespace, CollectionDocument> sharded) {
    CollectionDocument collection = sharded.get(namespace);
    var uuid = DocumentFields.document(entry, "info").get("uuid").asUuid();
    if (collection == null) {
      if (!shard.equals(primary)) {
        add(
            "MisplacedCollection",
            "An unsharded collection is on a shard that is not the primary of its database",
            out -> {
              out.appendString("namespace", namespace.full()).appendUuid("collectionUUID", uuid);
              out.appendString("shard", shard);
              out.appendInt64("numDocs", participants.count(operation, shard, namespace));
            });
      }
    } else if (!collection.uuid().equals(uuid)) {
      add(
          "CollectionUUIDMismatch",
          "A shard has a collection with another UUID than the config servers",
          out -> {
            out.appendString("namespace", namespace.full()).appendString("shard", shard);
            out.appendUuid("localUUID", uuid).appendUuid("UUID", collection.uuid());
          });
    }
  }

  private void checkShards(
      CollectionDocument collection, Map<String, Map<String, RawDocument>> onShards) {
    Namespace namespace = collection.namespace();
    Map<String, List<RawDocument>> indexes = new LinkedHashMap<>();
    var options = new LinkedHashMap<RawDocument, List<String>>();
    for (String shard : catalog.participants(operation, collection)) {
      RawDocument entry = onShards.getOrDefault(shard, Map.of()).get(namespace.collection());
      if (entry == null) {
        add(
            "MissingLocalCollection",
            "A shard does not have a collection that it owns chunks of",
            out -> {
              name(collection, out);
              out.appendString("shard", shard);
            });
        continue;
      }
      options
          .computeIfAbsent(DocumentFields.document(entry, "options"), any -> new ArrayList<>())
          .add(shard);
      indexes.put(shard, participants.indexes(operation, shard, namespace));
    }
    if (options.size() > 1) {
      addOptions(collection, options);
    }
    checkIndexes(collection, indexes);
  }

  private void addOptions(CollectionDocument collection, Map<RawDocument, List<String>> options) {
    add(
        "CollectionOptionsMismatch",
        "A collection has different options on different shards",
        out -> {
          out.appendString("namespace", collection.namespace().full()).startArray("options");
          int index = 0;
          for (var each : options.entrySet()) {
            out.startDocument(index++).appendDocument("options", each.getKey());
            out.append("shards", DocumentFields.arrayOfTexts(each.getValue())).end();
          }
          out.end();
        });
  }

  private void checkIndexes(CollectionDocument collection, Map<String, List<RawDocument>> indexes) {
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    Map<String, Map<RawDocument, List<String>>> byName = new LinkedHashMap<>();
    indexes.forEach(
        (shard, specs) -> {
          if (specs.stream().noneMatch(key::isSupportedBy)) {
            add(
                "MissingShardKeyIndex",
                "A shard has no index that supports the shard key",
                out -> {
                  name(collection, out);
                  out.appendString("shard", shard).appendDocument("shardKey", collection.key());
                });
          }
          for (RawDocument spec : specs) {
            byName
                .computeIfAbsent(DocumentFields.text(spec, "name"), any -> new LinkedHashMap<>())
                .computeIfAbsent(spec.without(OF_A_PLACE), any -> new ArrayList<>())
                .add(shard);
          }
        });
    if (checksIndexes) {
      byName.forEach((name, specs) -> checkIndex(collection, name, specs, indexes.keySet()));
    }
  }

  private void checkIndex(
      CollectionDocument collection,
      String index,
      Map<RawDocument, List<String>> specs,
      Set<String> shards) {
    List<String> missing =
        shards.stream()
            .filter(shard -> specs.values().stream().noneMatch(having -> having.contains(shard)))
            .toList();
    if (specs.size() == 1 && missing.isEmpty()) {
      return;
    }
    add(
        "InconsistentIndex",
        "An index is missing on a shard or differs between shards",
        out -> {
          out.appendString("namespace", collection.namespace().full());
          out.startDocument("info").appendString("indexName", index);
          out.append("missingFromShards", DocumentFields.arrayOfTexts(missing));
          out.startArray("inconsistentProperties");
          int number = 0;
          for (var each : specs.entrySet()) {
            if (specs.size() > 1) {
              out.startDocument(number++).appendDocument("spec", each.getKey());
              out.append("shards", DocumentFields.arrayOfTexts(each.getValue())).end();
            }
          }
          out.end().end();
        });
  }
}
