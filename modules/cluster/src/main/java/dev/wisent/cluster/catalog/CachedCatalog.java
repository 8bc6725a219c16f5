package dev.wisent.cluster.catalog;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.catalog.ConfigReads.Source;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The catalog that a router uses: what it has read once it uses until a shard says that it is
 * stale. Thread-safe.
 */
public final class CachedCatalog implements RoutingCatalog {
  /** How often the list of shards is read, whether anything has changed or not. */
  private static final Duration SHARDS_PERIOD = Duration.ofSeconds(30);

  /** How long the config servers may take to show what a shard knows already. */
  private static final long WANTED_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long requests of the router's own may take. */
  private static final long OWN_MILLIS_MAX = 30_000;

  /** Names come from clients: no more collections than this are remembered as not sharded. */
  private static final int COLLECTIONS_MAX = 50_000;

  private final ConfigReads config;
  private final CollectionReader reader;
  private final Clock clock;

  /** A cluster that has no shards may get one at any time. */
  private final CachedValue<List<ShardInfo>, Object> shards =
      new CachedValue<>(list -> !list.isEmpty());

  private final Map<String, CachedValue<DatabaseRouting, DatabaseVersion>> databases =
      new ConcurrentHashMap<>();
  private final Map<Namespace, CachedValue<KnownCollection, ChunkVersion>> collections =
      new ConcurrentHashMap<>();

  private final ToldMoves moves = new ToldMoves();

  private volatile Consumer<List<ShardInfo>> shardsRead = list -> {};
  private final LongAdder staleErrors = new LongAdder();
  private final LongAdder fullReads = new LongAdder();
  private final LongAdder incrementalReads = new LongAdder();
  private final LongAdder failedReads = new LongAdder();

  /**
   * What the cache has and has done.
   *
   * @param staleErrors how often a shard knew a newer version
   * @param fullReads of collections that were not known, or not sharded
   * @param incrementalReads of the chunks that had changed
   */
  public record Figures(
      int databases,
      int collections,
      long staleErrors,
      long fullReads,
      long incrementalReads,
      long failedReads) {}

  /**
   * @param set the config servers
   */
  public CachedCatalog(NodeClient client, ReplicaSetMonitor set, Clock clock) {
    this.config = new ConfigReads(client, set);
    this.reader = new CollectionReader(config);
    this.clock = clock;
  }

  /** Sets what is called with the shards each time they were read. */
  public void whenShardsRead(Consumer<List<ShardInfo>> listener) {
    shardsRead = listener;
  }

  @Override
  public List<ShardInfo> shards(OperationContext operation) {
    return shards.get(
        operation,
        (by, previous, reported, wanted) -> {
          Source source = reported ? Source.NEWEST : Source.ANY;
          List<ShardInfo> read =
              config.find(by, source, "shards", RawDocument.EMPTY, byId()).stream()
                  .map(ShardInfo::of)
                  .toList();
          shardsRead.accept(read);
          return read;
        });
  }

  /** Whether a shard is in the list that was read last; asks nothing. */
  public boolean knowsShard(String name) {
    List<ShardInfo> known = shards.known();
    return known != null && named(known, name) != null;
  }

  private static RawDocument byId() {
    return new BsonBuilder().appendInt32("_id", 1).toDocument();
  }

  @Override
  public ShardInfo shard(OperationContext operation, String name) {
    ShardInfo known = named(shards(operation), name);
    if (known == null) {
      refreshShards();
      known = named(shards(operation), name);
    }
    if (known == null) {
      throw new CommandException(ErrorCode.SHARD_NOT_FOUND, "Shard " + name + " not found");
    }
    return known;
  }

  private static ShardInfo named(List<ShardInfo> shards, String name) {
    return shards.stream().filter(shard -> shard.name().equals(name)).findFirst().orElse(null);
  }

  /** Reads the list of shards from time to time; the owner of the catalog starts and ends it. */
  public BackgroundLoop job(BackgroundLoops loops) {
    return loops.every(
        SHARDS_PERIOD,
        "shard-list",
        () -> {
          refreshShards();
          shards();
        });
  }

  /** Has the next request read the list of shards again. */
  public void refreshShards() {
    shards.stale(null, list -> false);
  }

  @Override
  public DatabaseRouting database(OperationContext operation, String name) {
    // A database that does not exist may be created at any time.
    return databases
        .computeIfAbsent(name, key -> new CachedValue<>(Objects::nonNull))
        .get(
            operation,
            (by, previous, reported, wanted) ->
                untilSeen(by, isSeen(wanted), () -> readDatabase(by, source(reported), name)));
  }

  private DatabaseRouting readDatabase(OperationContext operation, Source source, String name) {
    RawDocument filter = new BsonBuilder().appendString("_id", name).toDocument();
    List<RawDocument> found =
        config.find(operation, source, "databases", filter, RawDocument.EMPTY);
    if (found.isEmpty()) {
      databases.remove(name);
    }
    return found.isEmpty() ? null : DatabaseRouting.of(found.getFirst());
  }

  @Override
  public CollectionRouting collection(OperationContext operation, Namespace namespace) {
    if (namespace.isInternal()) {
      return null;
    }
    KnownCollection known =
        cached(namespace)
            .get(
                operation,
                (by, previous, reported, wanted) ->
                    untilSeen(
                        by,
                        // What is not sharded has no version to look for.
                        isSeen(wanted == null || wanted.isUnsharded() ? null : wanted),
                        () ->
                            readCollection(
                                by, source(reported), namespace, previous, wanted == null)));
    return known == null ? null : known.routing();
  }

  /**
   * @param splits whether splits are looked for as well, which shards do not tell of
   */
  private KnownCollection readCollection(
      OperationContext operation,
      Source source,
      Namespace namespace,
      KnownCollection previous,
      boolean splits) {
    (previous == null ? fullReads : incrementalReads).increment();
    try {
      CollectionRouting base = previous == null ? null : previous.read();
      return moves.after(namespace, reader.read(operation, source, namespace, base, splits));
    } catch (CommandException e) {
      failedReads.increment();
      throw e;
    }
  }

  public Figures figures() {
    return new Figures(
        databases.size(),
        collections.size(),
        staleErrors.sum(),
        fullReads.sum(),
        incrementalReads.sum(),
        failedReads.sum());
  }

  private CachedValue<KnownCollection, ChunkVersion> cached(Namespace namespace) {
    CachedValue<KnownCollection, ChunkVersion> known = collections.get(namespace);
    if (known != null) {
      return known;
    }
    limitCollections();
    return collections.computeIfAbsent(namespace, key -> new CachedValue<>(routing -> true));
  }

  private static Source source(boolean reported) {
    return reported ? Source.NEWEST : Source.ANY;
  }

  private void limitCollections() {
    if (collections.size() > COLLECTIONS_MAX) {
      collections.values().removeIf(cached -> cached.known() == null && !cached.isReading());
    }
  }

  /**
   * Reads until a version is there. After some time what was read has to do: the shard refuses it
   * again if it must.
   */
  private <T> T untilSeen(OperationContext operation, Predicate<T> isSeen, Supplier<T> read) {
    long start = clock.monotonicNanos();
    T value = read.get();
    while (!isSeen.test(value) && clock.monotonicNanos() - start < WANTED_NANOS_MAX) {
      LockSupport.parkNanos(PAUSE_NANOS);
      operation.checkNow();
      value = read.get();
    }
    return value;
  }

  /** Whether a collection is as new as a version; always where none is wanted. */
  private static Predicate<KnownCollection> isSeen(ChunkVersion wanted) {
    return collection -> {
      if (wanted == null || collection == null || wanted.isUnsharded()) {
        return wanted == null || (collection == null && wanted.isUnsharded());
      }
      ChunkVersion known = collection.routing().table().version();
      return known.isSameCollection(wanted)
          ? !known.isOlderThan(wanted)
          : Long.compareUnsigned(known.timestamp(), wanted.timestamp()) > 0;
    };
  }

  private static Predicate<DatabaseRouting> isSeen(DatabaseVersion wanted) {
    return routing -> wanted == null || (routing != null && !routing.version().isOlderThan(wanted));
  }

  @Override
  public void staleCollection(Namespace namespace, ChunkVersion wanted) {
    staleErrors.increment();
    forget(namespace, wanted);
  }

  @Override
  public void staleCollection(Namespace namespace, ChunkVersion wanted, String shard) {
    KnownCollection known = cached(namespace).known();
    boolean newer = wanted != null && known != null && isSeen(wanted).test(known);
    // What is known is new enough, and has another version of this shard: all of it is read again.
    staleCollection(namespace, newer && isOther(wanted, known, shard) ? null : wanted);
  }

  private static boolean isOther(ChunkVersion wanted, KnownCollection known, String shard) {
    ChunkVersion own = known.routing().table().versionOf(shard);
    return own.isSameCollection(wanted) && own.major() != 0 && own.major() < wanted.major();
  }

  private void forget(Namespace namespace, ChunkVersion wanted) {
    collections
        .computeIfAbsent(namespace, key -> new CachedValue<>(routing -> true))
        .stale(wanted, isSeen(wanted));
  }

  @Override
  public void rangeMoved(Namespace namespace, RangeMove move) {
    if (collections.containsKey(namespace)) {
      moves.add(namespace, move);
      cached(namespace).change(known -> newer(moves.after(namespace, known.read()), known));
    }
  }

  /** Null where it is not newer than what is known. */
  private static KnownCollection newer(KnownCollection changed, KnownCollection known) {
    ChunkVersion version = known.routing().table().version();
    return version.isOlderThan(changed.routing().table().version()) ? changed : null;
  }

  @Override
  public void staleDatabase(String name, DatabaseVersion wanted) {
    databases
        .computeIfAbsent(name, key -> new CachedValue<>(Objects::nonNull))
        .stale(wanted, isSeen(wanted));
  }

  /** Forgets everything, as {@code flushRouterConfig: 1} asks for. */
  public void flush() {
    refreshShards();
    databases.keySet().forEach(name -> staleDatabase(name, null));
    collections.keySet().forEach(namespace -> forget(namespace, null));
  }

  /** Forgets a database and all its collections. */
  public void flushDatabase(String name) {
    staleDatabase(name, null);
    collections.keySet().stream()
        .filter(namespace -> namespace.database().equals(name))
        .forEach(namespace -> forget(namespace, null));
  }

  /** Forgets a collection. */
  public void flushCollection(Namespace namespace) {
    forget(namespace, null);
  }

  @Override
  public List<ShardInfo> shards() {
    return shards(own());
  }

  @Override
  public ShardInfo shard(String name) {
    return shard(own(), name);
  }

  @Override
  public DatabaseRouting database(String name) {
    return database(own(), name);
  }

  @Override
  public CollectionRouting collection(Namespace namespace) {
    return collection(own(), namespace);
  }

  private OperationContext own() {
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(OWN_MILLIS_MAX);
    return operation;
  }
}
