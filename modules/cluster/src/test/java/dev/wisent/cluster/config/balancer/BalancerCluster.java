package dev.wisent.cluster.config.balancer;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * A balancer over real metadata, with shards and migrations that only tests know of. Its time
 * passes when a test says so.
 */
final class BalancerCluster implements AutoCloseable, Clock {
  static final long CHUNK = 128 << 20;

  private final BackgroundLoops loops = new BackgroundLoops(this, Log.silent(), error -> {});
  private final StorageEngine storage;
  private final LocalCommitLog log;
  private final CatalogStore store;
  private final AtomicLong nanos = new AtomicLong();
  private final Map<String, UUID> collections = new HashMap<>();
  final BalancerParameters parameters = new BalancerParameters();
  final GrowingEnds ends = new GrowingEnds();
  final Set<String> unreachable = ConcurrentHashMap.newKeySet();
  final FakeMoves moves;
  final List<String> merged = new CopyOnWriteArrayList<>();
  final Balancer balancer;
  volatile long chunkBytes = CHUNK;
  volatile boolean leads = true;
  volatile long wallMillis = 1_700_000_000_000L;

  BalancerCluster(Path directory, int shards) {
    this.storage = StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
    this.log = LocalCommitLog.start(storage, loops);
    RandomSource random = RandomSource.system();
    LocalDatabase database = LocalDatabase.open(storage, log, this, random);
    this.store = new CatalogStore(NodeDatabase.standalone(database), null, this, random);
    this.moves = new FakeMoves(this);
    for (int i = 0; i < shards; i++) {
      put("shards", "{_id: 's%d', host: 's%d/h:%d', state: 1}".formatted(i, i, i + 1));
    }
    var metadata =
        new ClusterMetadata(
            store,
            null,
            new FakeShards(),
            null,
            this,
            random,
            new ObjectIds(this, random),
            Log.silent());
    parameters.migrationsThrottlingMillis(0);
    ChunkMerges merges =
        new ChunkMerges() {
          @Override
          public long merge(
              OperationContext operation, String namespace, String shard, Bounds bounds) {
            merged.add(namespace + " on " + shard + " by " + bounds.groupMax());
            return 1;
          }

          @Override
          public boolean merge(
              OperationContext operation, String namespace, String shard, ChunkRange range) {
            return false;
          }
        };
    this.balancer =
        BalancerAssembly.of(
            metadata, moves, merges, ends, parameters, () -> "config:1", () -> leads, loops);
  }

  void start() {
    balancer.loop().start();
  }

  @Override
  public long wallMillis() {
    return wallMillis;
  }

  @Override
  public long monotonicNanos() {
    return nanos.get();
  }

  void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  OperationContext operation() {
    OperationContext operation = OperationContext.internal(Clock.system());
    operation.limitMillis(60_000);
    return operation;
  }

  void put(String collection, String json) {
    store.put(operation(), collection, RawDocument.parse(json));
  }

  void change(String collection, String id, String fields) {
    RawDocument before = store.findById(operation(), collection, id);
    store.put(operation(), collection, DocumentFields.merged(before, RawDocument.parse(fields)));
  }

  List<RawDocument> find(String collection, String filter) {
    return store.find(operation(), collection, RawDocument.parse(filter));
  }

  /** A collection whose n-th chunk, from 10 n on, is on the shard with the n-th number. */
  void collection(String name, int... shards) {
    UUID uuid = RandomSource.system().nextUuid();
    collections.put(name, uuid);
    var document =
        new CollectionDocument(
            Namespace.parse(name),
            new ObjectId(),
            5,
            0,
            uuid,
            RawDocument.parse("{k: 1}"),
            false,
            RawDocument.EMPTY,
            false,
            true,
            0);
    store.put(operation(), "collections", document.toDocument());
    for (int i = 0; i < shards.length; i++) {
      var chunk =
          new Chunk(
              new ChunkRange(bound(i, shards.length), bound(i + 1, shards.length)),
              "s" + shards[i],
              new ChunkVersion(document.epoch(), 5, 1, i),
              false);
      store.put(
          operation(), "chunks", ChunkDocument.first(new ObjectId(), uuid, chunk, 5).toDocument());
    }
  }

  /** One that is not sharded, on a shard that is not the primary of its database. */
  void unsharded(String name, int shard) {
    collection(name, shard);
    change("collections", name, "{unsplittable: true}");
  }

  /** Has a chunk end, and the next one begin, at a key that need not be one of the collection. */
  void setBound(String name, int chunk, String key) {
    List<ChunkDocument> all = chunks(name);
    RawDocument bound = RawDocument.parse(key);
    putChunk(all.get(chunk), new ChunkRange(all.get(chunk).range().min(), bound));
    putChunk(all.get(chunk + 1), new ChunkRange(bound, all.get(chunk + 1).range().max()));
  }

  private void putChunk(ChunkDocument chunk, ChunkRange range) {
    List<ChunkDocument> all = find("chunks", "{}").stream().map(ChunkDocument::of).toList();
    long newest = all.stream().mapToLong(ChunkDocument::lastmod).max().orElseThrow();
    var changed =
        new ChunkDocument(
            chunk.id(), chunk.uuid(), range, chunk.shard(), newest + 1, 6, List.of(), false);
    store.put(operation(), "chunks", changed.toDocument());
  }

  private static RawDocument bound(int number, int count) {
    RawValue value =
        number == 0
            ? RawValue.MIN_KEY
            : number == count ? RawValue.MAX_KEY : RawValue.ofInt32(10 * number);
    return new BsonBuilder().append("k", value).toDocument();
  }

  /** The shards of a collection's chunks, in order. */
  String owners(String name) {
    return String.join(
        " ",
        chunks(name).stream()
            .sorted((a, b) -> ValueOrder.compare(a.range().min(), b.range().min()))
            .map(ChunkDocument::shard)
            .toList());
  }

  List<ChunkDocument> chunks(String name) {
    RawDocument filter = new BsonBuilder().appendUuid("uuid", collections.get(name)).toDocument();
    return store.find(operation(), "chunks", filter).stream().map(ChunkDocument::of).toList();
  }

  /** As a migration of a whole chunk leaves the metadata. */
  void moveChunk(String name, RawDocument min, String to) {
    List<ChunkDocument> all = chunks(name);
    long newest = all.stream().mapToLong(ChunkDocument::lastmod).max().orElseThrow();
    ChunkDocument chunk =
        all.stream().filter(each -> each.range().min().equals(min)).findFirst().orElseThrow();
    store.put(
        operation(),
        "chunks",
        new ChunkDocument(
                chunk.id(),
                chunk.uuid(),
                chunk.range(),
                to,
                ((newest >>> 32) + 1) << 32,
                6,
                List.of(),
                false)
            .toDocument());
  }

  void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited for " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** Has a round begin after this moment, and waits until it has ended. */
  void runRound() {
    long before = turns();
    balancer.wake();
    await("a round", () -> turns() > before && !balancer.isInRound());
    // A turn that was under way may not have seen the wake.
    long second = turns();
    balancer.wake();
    await("a round", () -> turns() > second && !balancer.isInRound());
  }

  /** Runs rounds until one begins no migration. */
  void runRounds() {
    int before;
    do {
      before = moves.started.size();
      runRound();
    } while (moves.started.size() > before);
  }

  private long turns() {
    return balancer.loop().counts().turns() + balancer.loop().counts().failures();
  }

  /** Shards with as much data in each of their chunks. */
  private final class FakeShards implements ShardCaller {
    @Override
    public RawDocument run(
        OperationContext operation, String shard, String database, Supplier<RawDocument> command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, RawDocument> ask(
        OperationContext operation,
        List<RawDocument> shards,
        String database,
        RawDocument command,
        Duration primaryMax) {
      var replies = new HashMap<String, RawDocument>();
      for (RawDocument shard : shards) {
        String name = shard.get("_id").asString();
        if (!unreachable.contains(name)) {
          replies.put(name, reply(name, DocumentFields.documents(command, "collections")));
        }
      }
      return replies;
    }

    private RawDocument reply(String shard, List<RawDocument> wanted) {
      var stats = new ArrayList<RawDocument>();
      long total = 0;
      for (RawDocument each : wanted) {
        String name = each.get("ns").asString();
        long bytes =
            chunkBytes * chunks(name).stream().filter(chunk -> chunk.shard().equals(shard)).count();
        total += bytes;
        stats.add(
            new BsonBuilder().appendString("ns", name).appendInt64("collSize", bytes).toDocument());
      }
      return new BsonBuilder()
          .append("stats", DocumentFields.arrayOf(stats))
          .appendInt64("totalSize", total)
          .toDocument();
    }
  }

  @Override
  public void close() {
    moves.releaseAll();
    balancer.loop().stop();
    balancer.loop().join();
    log.close();
    storage.close();
  }
}
