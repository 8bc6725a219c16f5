package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.cluster.config.metadata.UnbalancedCollections;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.ZoneRange;
import dev.wisent.sharding.balance.ClusterLoad;
import dev.wisent.sharding.balance.CollectionLoad;
import dev.wisent.sharding.balance.GrowingEnd;
import dev.wisent.sharding.balance.MoveReason;
import dev.wisent.sharding.balance.RoutedChunks;
import dev.wisent.sharding.balance.ShardLoad;
import dev.wisent.sharding.balance.Stall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Reads what a round is decided from. Of the thread of the balancer. */
final class LoadReader {
  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");
  private static final int MEGABYTE = 1 << 20;
  private static final String COORDINATORS = "system.sharding_ddl_coordinators";
  private static final RawDocument DRAINING = RawDocument.parse("{draining: true}");
  private static final Set<String> MOVING = Set.of("moveCollection", "movePrimary");
  private static final Set<String> COPYING =
      Set.of("reshardCollection", "unshardCollection", "moveCollection");

  private final CatalogStore store;
  private final ShardCaller shards;
  private final CollectionTables tables;
  private final FailedMoves failed;
  private final Map<Namespace, RuntimeException> failures = new LinkedHashMap<>();
  private final List<Stall> stalls = new ArrayList<>();

  LoadReader(CatalogStore store, ShardCaller shards, FailedMoves failed) {
    this.store = store;
    this.shards = shards;
    this.tables = new CollectionTables(store);
    this.failed = failed;
  }

  /** The load of all collections that are balanced. */
  ClusterLoad read(
      OperationContext operation, BalancerSettings settings, Map<String, GrowingEnd> ends) {
    List<RawDocument> found = store.find(operation, "collections", RawDocument.EMPTY);
    tables.retain(found.stream().map(CollectionDocument::of).toList());
    Set<String> copied = copied(operation);
    stalls.clear();
    found.stream()
        .filter(collection -> CollectionDocument.isSharded(collection) && !isBalanced(collection))
        .filter(collection -> !copied.contains(DocumentFields.text(collection, "_id")))
        .forEach(collection -> noteIfDrained(operation, collection));
    return read(
        operation,
        settings,
        ends,
        found.stream()
            .filter(LoadReader::isBalanced)
            .filter(collection -> !copied.contains(DocumentFields.text(collection, "_id")))
            .toList());
  }

  /** A collection that is not balanced stays on a draining shard, which then cannot go. */
  private void noteIfDrained(OperationContext operation, RawDocument collection) {
    Namespace namespace = Namespace.parse(DocumentFields.text(collection, "_id"));
    for (RawDocument shard : store.find(operation, "shards", DRAINING)) {
      String name = DocumentFields.text(shard, "_id");
      if (UnbalancedCollections.isOn(operation, store, collection, name)) {
        String message =
            "the collection is not balanced, so its chunks stay on the draining shard " + name;
        stalls.add(new Stall(namespace, MoveReason.DRAINING, message));
      }
    }
  }

  /** What the last load does not have, and should. */
  List<Stall> stalls() {
    return List.copyOf(stalls);
  }

  /** Why collections are not in the last load, of those whose metadata cannot be used. */
  Map<Namespace, RuntimeException> failures() {
    return Map.copyOf(failures);
  }

  /** Collections that are being copied as a whole: a move would wait for the end of that. */
  private Set<String> copied(OperationContext operation) {
    return resources(operation, COPYING);
  }

  /** The resources of coordinators of some types. */
  private Set<String> resources(OperationContext operation, Set<String> types) {
    var resources = new HashSet<String>();
    for (RawDocument run : store.find(operation, COORDINATORS, RawDocument.EMPTY)) {
      RawDocument id = DocumentFields.document(run, "_id");
      if (types.contains(DocumentFields.text(id, "operationType"))) {
        resources.add(DocumentFields.text(id, "namespace"));
      }
    }
    return resources;
  }

  /** What migrations have that have not ended: shards and collections; may be changed. */
  InUse migrating(OperationContext operation) {
    var inUse = new InUse();
    for (RawDocument each :
        store.find(operation, GrantedMigrations.COLLECTION, RawDocument.EMPTY)) {
      inUse.shards().add(DocumentFields.text(each, "fromShard"));
      inUse.shards().add(DocumentFields.text(each, "toShard"));
      inUse.add(DocumentFields.text(each, "ns"));
    }
    return inUse;
  }

  /** The collections and databases that are being moved as a whole. */
  Set<String> moving(OperationContext operation) {
    return resources(operation, MOVING);
  }

  /** Of one collection, whether it is balanced or not. */
  static ClusterLoad of(
      OperationContext operation,
      CatalogStore store,
      ShardCaller shards,
      BalancerSettings settings,
      RawDocument collection) {
    var reader = new LoadReader(store, shards, new FailedMoves(operation.clock()));
    ClusterLoad load = reader.read(operation, settings, Map.of(), List.of(collection));
    for (RuntimeException failure : reader.failures.values()) {
      throw failure;
    }
    return load;
  }

  private static boolean isBalanced(RawDocument collection) {
    return CollectionDocument.isSharded(collection) && UnbalancedCollections.isBalanced(collection);
  }

  private ClusterLoad read(
      OperationContext operation,
      BalancerSettings settings,
      Map<String, GrowingEnd> ends,
      List<RawDocument> documents) {
    List<CollectionDocument> collections = documents.stream().map(CollectionDocument::of).toList();
    // Before the shards: a chunk never is on one that is not in the list.
    var read = new ArrayList<RoutingTable>();
    failures.clear();
    collections.forEach(
        each ->
            read.add(attempt(operation, each.namespace(), () -> tables.table(operation, each))));
    List<RawDocument> all = store.find(operation, "shards", RawDocument.EMPTY);
    ShardSizes sizes = ShardSizes.ask(operation, shards, all, collections);
    List<ShardLoad> loads =
        all.stream().map(ShardInfo::of).map(shard -> load(shard, sizes)).toList();
    Set<String> known = Set.copyOf(loads.stream().map(ShardLoad::name).toList());
    var loaded = new ArrayList<CollectionLoad>();
    for (int i = 0; i < collections.size(); i++) {
      RoutingTable table = read.get(i);
      if (table != null && known.containsAll(table.shards())) {
        CollectionDocument collection = collections.get(i);
        CollectionLoad load =
            attempt(
                operation,
                collection.namespace(),
                () -> load(operation, collection, table, settings, sizes, loads, ends));
        if (load != null) {
          loaded.add(load);
        }
      }
    }
    return new ClusterLoad(loads, loaded);
  }

  /** Null where the metadata of the collection cannot be used: others do not depend on it. */
  private <T> T attempt(OperationContext operation, Namespace namespace, Supplier<T> part) {
    try {
      return part.get();
    } catch (RuntimeException e) {
      operation.checkNow();
      failures.put(namespace, e);
      return null;
    }
  }

  private static ShardLoad load(ShardInfo shard, ShardSizes sizes) {
    return new ShardLoad(
        shard.name(),
        sizes.total(shard.name()),
        shard.maxSizeMegabytes() * MEGABYTE,
        shard.draining(),
        sizes.answered().contains(shard.name()),
        Set.copyOf(shard.zones()));
  }

  private CollectionLoad load(
      OperationContext operation,
      CollectionDocument collection,
      RoutingTable table,
      BalancerSettings settings,
      ShardSizes sizes,
      List<ShardLoad> loads,
      Map<String, GrowingEnd> ends) {
    String name = collection.namespace().full();
    RoutedChunks chunks = RoutedChunks.of(table, loads);
    long own = collection.maxChunkSizeBytes();
    return new CollectionLoad(
        collection.namespace(),
        own == 0 ? settings.chunkBytes() : own,
        chunks,
        new EstimatedSizes(name, chunks, loads, sizes),
        zones(operation, collection),
        failed.heldOf(collection.namespace(), chunks),
        ends.getOrDefault(name, GrowingEnd.NONE),
        settings.movesJumbo());
  }

  private List<ZoneRange> zones(OperationContext operation, CollectionDocument collection) {
    RawDocument filter =
        new BsonBuilder().appendString("ns", collection.namespace().full()).toDocument();
    ShardKeyPattern key = ShardKeyPattern.of(collection.key());
    var zones = new ArrayList<ZoneRange>();
    for (RawDocument tag :
        store.find(operation, "tags", new FindRequest.Builder().filter(filter).sort(BY_MIN))) {
      RawDocument min = key.normalized(DocumentFields.document(tag, "min"));
      RawDocument max = key.normalized(DocumentFields.document(tag, "max"));
      String zone = DocumentFields.text(tag, "tag");
      if (min != null && max != null) {
        zones.add(new ZoneRange(new ChunkRange(min, max), zone));
      } else {
        // As of a version that did not compare them when the collection was sharded.
        stalls.add(
            new Stall(
                collection.namespace(),
                MoveReason.ZONE_VIOLATION,
                "a range of the zone %s does not have the fields of the shard key: %s -->> %s"
                    .formatted(
                        zone,
                        ValueText.of(DocumentFields.document(tag, "min")),
                        ValueText.of(DocumentFields.document(tag, "max")))));
      }
    }
    return zones;
  }

  /** A new term begins. */
  void clear() {
    tables.clear();
  }
}
