package dev.wisent.cluster.shard.split;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.ShardTables;
import dev.wisent.database.ownership.WriteSamples.Sample;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.GrowthPoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Splits chunks that have grown too large, and marks those of one key as jumbo. A chunk is measured
 * after each fifth of its greatest size that was written to it, on the primary of the shard. What a
 * primary knows of writes ends with it: the next one begins anew.
 */
public final class ChunkSplitter implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final long OPERATION_MILLIS_MAX = TimeUnit.MINUTES.toMillis(5);
  private static final long SETTINGS_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** A chunk is measured when this part of its greatest size was written to it. */
  private static final int PART = 5;

  /** Less than this leads to no split, whatever the settings are. */
  private static final long WRITTEN_BYTES_MIN = (1 << 20) / 2 / PART;

  private static final int SAMPLES_MAX = 4096;

  private static final int SPLIT_LOG_ID = 9_000_530;
  private static final int JUMBO_LOG_ID = 9_000_531;
  private static final int FAILED_LOG_ID = 9_000_532;
  private static final int SKIPPED_LOG_ID = 9_000_533;

  private final Ownership ownership;
  private final WriteGate gate;
  private final Operations documents;
  private final Definitions definitions;
  private final RandomSource random;
  private final BackgroundLoops loops;
  private final MemberConnections members;
  private final Log log;

  // Of the loop.
  private final Map<Namespace, Pending> pending = new HashMap<>();
  private volatile ConfigLink config;

  /** What was written to a collection. */
  private static final class Pending {
    private final ChunkGrowth growth = new ChunkGrowth();
    private final List<Sample> samples = new ArrayList<>();
    private long bytes;
    private SplitSettings settings;
    private long settingsNanos;

    void forget() {
      samples.clear();
      bytes = 0;
    }
  }

  public ChunkSplitter(
      Ownership ownership,
      WriteGate gate,
      Operations documents,
      Definitions definitions,
      RandomSource random,
      BackgroundLoops loops,
      MemberConnections members,
      Log log) {
    this.ownership = ownership;
    this.gate = gate;
    this.documents = documents;
    this.definitions = definitions;
    this.random = random;
    this.loops = loops;
    this.members = members;
    this.log = log;
  }

  /** To be started. */
  public BackgroundLoop loop() {
    return loops.every(PERIOD, "chunk-splitter", this::turn);
  }

  private void turn() {
    if (!ownership.isInUse()) {
      return;
    }
    ShardTables tables = ownership.tables();
    Map<Namespace, List<Sample>> written = ownership.samples().take(tables.collections().keySet());
    if (tables.identity() == null || !gate.isOpen()) {
      pending.clear();
      return;
    }
    pending.keySet().retainAll(tables.collections().keySet());
    written.forEach(this::add);
    RuntimeException failure = null;
    for (Map.Entry<Namespace, Pending> each : pending.entrySet()) {
      if (each.getValue().bytes >= WRITTEN_BYTES_MIN) {
        try {
          look(tables.identity(), each.getKey(), each.getValue());
        } catch (CommandException e) {
          if (e.code() == ErrorCode.MAX_TIME_MS_EXPIRED) {
            throw e; // The config servers do not answer for other collections either.
          }
          failure = e;
        } catch (RuntimeException e) {
          // Metadata that cannot be used does not mend itself: it is looked at after more writes.
          each.getValue().forget();
          failure = e;
          logSkipped(each.getKey(), e);
        }
      }
    }
    if (failure != null) {
      throw failure; // For the loop to count.
    }
  }

  private void logSkipped(Namespace namespace, RuntimeException failure) {
    log.warn(
        SKIPPED_LOG_ID,
        "Chunks of a collection are not split: its metadata cannot be used",
        "namespace",
        namespace.full(),
        "error",
        failure.toString());
  }

  private void add(Namespace namespace, List<Sample> taken) {
    Pending of = pending.computeIfAbsent(namespace, name -> new Pending());
    List<Sample> samples = of.growth.afterCuts(taken);
    samples.forEach(sample -> of.bytes += sample.bytes());
    of.samples.addAll(samples);
    if (of.samples.size() > SAMPLES_MAX) {
      // The config servers do not answer: what is left tells enough.
      of.samples.subList(0, of.samples.size() - SAMPLES_MAX).clear();
    }
  }

  private void look(RawDocument identity, Namespace namespace, Pending written) {
    OperationContext operation = OperationContext.internal(loops.clock());
    operation.limitMillis(OPERATION_MILLIS_MAX);
    if (config == null) {
      config = new ConfigLink(identity, loops.clock(), random, loops, members);
    }
    CollectionRouting collection = config.catalog().collection(operation, namespace);
    if (collection == null) {
      config.catalog().flushCollection(namespace);
      return;
    }
    written.growth.add(collection.table(), written.samples);
    written.forget();
    SplitSettings now = settings(operation, namespace, written);
    if (now.enabled()) {
      long least = now.chunkBytesAmong(collection.table().chunkCount()) / PART;
      List<Chunk> grown = written.growth.take(collection.table(), least);
      for (int i = 0; i < grown.size(); i++) {
        try {
          measure(operation, collection, grown.get(i), now, written.growth);
        } catch (RuntimeException e) {
          grown
              .subList(i, grown.size())
              .forEach(chunk -> written.growth.giveBack(collection.table(), chunk, least));
          throw e;
        }
      }
    }
  }

  private SplitSettings settings(OperationContext operation, Namespace namespace, Pending of) {
    long nanos = loops.clock().monotonicNanos();
    if (of.settings == null || nanos - of.settingsNanos > SETTINGS_NANOS_MAX) {
      of.settings = SplitSettings.read(operation, config.calls(), namespace);
      of.settingsNanos = nanos;
    }
    return of.settings;
  }

  private void measure(
      OperationContext operation,
      CollectionRouting collection,
      Chunk chunk,
      SplitSettings now,
      ChunkGrowth growth) {
    if (!chunk.shard().equals(config.shard())) {
      return;
    }
    try {
      RangeKeys keys =
          RangeKeys.of(
              documents, definitions, collection.namespace(), collection.key(), chunk.range());
      ChunkMeasure size = ChunkMeasure.of(operation, keys);
      if (size.bytes() < now.chunkBytesAmong(collection.table().chunkCount())) {
        return;
      }
      var points =
          new GrowthPoints(
              collection.key(),
              chunk.range(),
              size.documents(),
              size.documentsIn(now.chunkBytes()));
      keys.forEach(operation, points::add);
      List<RawDocument> at = points.points();
      if (!at.isEmpty()) {
        split(operation, collection, chunk, at);
        growth.cut(collection.key(), chunk.range(), at);
      } else if (size.bytes() > now.chunkBytes() && !chunk.jumbo()) {
        markJumbo(operation, collection, chunk);
      }
    } catch (CommandException e) {
      failed(operation, collection, chunk, e);
    }
  }

  private void split(
      OperationContext operation,
      CollectionRouting collection,
      Chunk chunk,
      List<RawDocument> points) {
    BsonBuilder command = command("_configsvrSplit", collection, chunk).startArray("splitKeys");
    for (int i = 0; i < points.size(); i++) {
      command.appendDocument(i, points.get(i));
    }
    command.end().appendBoolean("fromChunkSplitter", true);
    config.calls().call(operation, ShardRequest.configChange(command));
    config.catalog().flushCollection(collection.namespace());
    log.info(
        SPLIT_LOG_ID,
        "Split a chunk that has grown",
        "namespace",
        collection.namespace().full(),
        "chunk",
        chunk.range(),
        "points",
        points.size());
  }

  private void markJumbo(OperationContext operation, CollectionRouting collection, Chunk chunk) {
    BsonBuilder command = command("_configsvrMarkJumbo", collection, chunk);
    config.calls().call(operation, ShardRequest.configChange(command));
    config.catalog().flushCollection(collection.namespace());
    log.warn(
        JUMBO_LOG_ID,
        "A chunk is too large and cannot be split: all its documents have one shard key",
        "namespace",
        collection.namespace().full(),
        "chunk",
        chunk.range());
  }

  private static BsonBuilder command(String name, CollectionRouting collection, Chunk chunk) {
    var command = new BsonBuilder();
    command.appendString(name, collection.namespace().full()).startArray("bounds");
    command.appendDocument(0, chunk.range().min()).appendDocument(1, chunk.range().max());
    return command.end();
  }

  /** The chunk, the collection or its index may be gone; other failures are the loop's to count. */
  private void failed(
      OperationContext operation, CollectionRouting collection, Chunk chunk, CommandException e) {
    config.catalog().flushCollection(collection.namespace());
    CollectionRouting newest = config.catalog().collection(operation, collection.namespace());
    boolean gone =
        newest == null
            || newest.table().chunkWithBounds(chunk.range().min(), chunk.range().max()) == null
            || definitions.indexes(collection.namespace()) == null;
    log.info(
        FAILED_LOG_ID,
        "Could not split a chunk",
        "namespace",
        collection.namespace().full(),
        "chunk",
        chunk.range(),
        "error",
        e.getMessage());
    if (!gone) {
      throw e;
    }
  }

  @Override
  public void close() {
    if (config != null) {
      config.close();
    }
  }
}
