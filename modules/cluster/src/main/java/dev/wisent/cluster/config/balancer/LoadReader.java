package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.cluster.config.migration.GrantedMigrations;
import dev.wisent.operation.FindRequest;
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
import dev.wisent.sharding.balance.RoutedChunks;
import dev.wisent.sharding.balance.ShardLoad;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what a round is decided from. Of the thread of the balancer. */
final class LoadReader {
  private static final RawDocument BY_MIN = RawDocument.parse("{min: 1}");
  private static final int MEGABYTE = 1 << 20;
  private static final String COORDINATORS = "system.sharding_ddl_coordinators";
  private static final Set<String> COPYING =
      Set.of("reshardCollection", "unshardCollection", "moveCollection");

  private final CatalogStore store;
  private final ShardCaller shards;
  private final CollectionTables tables;
  private final FailedMoves failed;

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
    return read(
        operation,
        settings,
        ends,
        found.stream()
            .filter(LoadReader::isBalanced)
            .filter(collection -> !copied.contains(DocumentFields.text(collection, "_id")))
            .toList());
  }

  /** Collections that are being copied as a whole: a move would wait for the end of that. */
  private Set<String> copied(OperationContext operation) {
    var copied = new HashSet<String>();
    for (RawDocument run : store.find(operation, COORDINATORS, RawDocument.EMPTY)) {
      RawDocument id = DocumentFields.document(run, "_id");
      if (COPYING.contains(DocumentFields.text(id, "operationType"))) {
        copied.add(DocumentFields.text(id, "namespace"));
      }
    }
    return copied;
  }

  /** The shards of migrations that have not ended; the caller may change the set. */
  Set<String> migrating(OperationContext operation) {
    var busy = new HashSet<String>();
    for (RawDocument each :
        store.find(operation, GrantedMigrations.COLLECTION, RawDocument.EMPTY)) {
      busy.add(DocumentFields.text(each, "fromShard"));
      busy.add(DocumentFields.text(each, "toShard"));
    }
    return busy;
  }

  /** Of one collection, whether it is balanced or not. */
  static ClusterLoad of(
      OperationContext operation,
      CatalogStore store,
      ShardCaller shards,
      BalancerSettings settings,
      RawDocument collection) {
    var reader = new LoadReader(store, shards, new FailedMoves(operation.clock()));
    return reader.read(operation, settings, Map.of(), List.of(collection));
  }

  private static boolean isBalanced(RawDocument collection) {
    return CollectionDocument.isSharded(collection)
        && !CollectionDocument.of(collection).noBalance()
        && CollectionDocument.mayMigrate(collection);
  }

  private ClusterLoad read(
      OperationContext operation,
      BalancerSettings settings,
      Map<String, GrowingEnd> ends,
      List<RawDocument> documents) {
    List<CollectionDocument> collections = documents.stream().map(CollectionDocument::of).toList();
    // Before the shards: a chunk never is on one that is not in the list.
    var read = new ArrayList<RoutingTable>();
    collections.forEach(each -> read.add(tables.table(operation, each)));
    List<RawDocument> all = store.find(operation, "shards", RawDocument.EMPTY);
    ShardSizes sizes = ShardSizes.ask(operation, shards, all, collections);
    List<ShardLoad> loads =
        all.stream().map(ShardInfo::of).map(shard -> load(shard, sizes)).toList();
    Set<String> known = Set.copyOf(loads.stream().map(ShardLoad::name).toList());
    var loaded = new ArrayList<CollectionLoad>();
    for (int i = 0; i < collections.size(); i++) {
      RoutingTable table = read.get(i);
      if (table != null && known.containsAll(table.shards())) {
        loaded.add(load(operation, collections.get(i), table, settings, sizes, loads, ends));
      }
    }
    return new ClusterLoad(loads, loaded);
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
      // Ranges of a collection that was not sharded yet may be of other fields.
      if (min != null && max != null) {
        zones.add(new ZoneRange(new ChunkRange(min, max), DocumentFields.text(tag, "tag")));
      }
    }
    return zones;
  }

  /** A new term begins. */
  void clear() {
    tables.clear();
  }
}
