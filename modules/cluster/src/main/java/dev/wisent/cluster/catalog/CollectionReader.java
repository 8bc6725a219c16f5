package dev.wisent.cluster.catalog;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.catalog.ConfigReads.Source;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Reads where the chunks of a collection are. */
final class CollectionReader {
  /** How often chunks are read that are changed meanwhile. */
  private static final int ATTEMPTS_MAX = 5;

  private static final long PAUSE_NANOS = 5_000_000;

  /** Fewer are read again sooner than they are worth to be kept. */
  private static final int KEPT_CHUNKS_MIN = 1_000;

  private final ConfigReads config;

  /** What a request has read that had to stop, so that the next one goes on there; may be null. */
  private final AtomicReference<ChunkReading> unfinished = new AtomicReference<>();

  CollectionReader(ConfigReads config) {
    this.config = config;
  }

  /**
   * The collection as the config servers have it; null where it is not sharded.
   *
   * @param previous an older state, of which only changes are read; may be null
   * @param splits whether changes are read that no shard has told of
   */
  CollectionRouting read(
      OperationContext operation,
      Source source,
      Namespace namespace,
      CollectionRouting previous,
      boolean splits) {
    CollectionRouting older = previous;
    Source from = source;
    for (int attempt = 1; ; attempt++) {
      try {
        CollectionDocument collection = collection(operation, from, namespace);
        if (collection == null) {
          return null;
        }
        CollectionRouting read = read(operation, from, collection, older, splits);
        CollectionDocument after = collection(operation, from, namespace);
        if (after != null && after.noChunks().equals(collection.noChunks())) {
          return read;
        }
      } catch (CommandException e) {
        boolean changed = e.code() == ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
        if (!changed || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "Collection " + namespace + " was changed while its chunks were read");
      }
      LockSupport.parkNanos(PAUSE_NANOS * attempt);
      operation.checkNow();
      // Each read may be of another member, and one that was down has not all chunks yet.
      from = Source.NEWEST;
      older = null;
    }
  }

  private CollectionDocument collection(
      OperationContext operation, Source source, Namespace namespace) {
    RawDocument filter = new BsonBuilder().appendString("_id", namespace.full()).toDocument();
    List<RawDocument> found =
        config.find(operation, source, "collections", filter, RawDocument.EMPTY);
    return found.isEmpty() ? null : CollectionDocument.of(found.getFirst());
  }

  private CollectionRouting read(
      OperationContext operation,
      Source source,
      CollectionDocument collection,
      CollectionRouting older,
      boolean splits) {
    boolean same =
        older != null
            && older.uuid().equals(collection.uuid())
            && older.table().version().isSameCollection(collection.noChunks());
    RoutingTable base = same ? older.table() : null;
    ChunkReading reading = taken(collection, base, splits);
    if (reading == null) {
      ShardKeyPattern key = same ? older.key() : ShardKeyPattern.of(collection.key());
      reading = new ChunkReading(collection, key, base, splits);
    }
    read(operation, source, reading);
    return new CollectionRouting(
        collection.namespace(),
        collection.uuid(),
        reading.key(),
        collection.unique(),
        collection.defaultCollation(),
        reading.table(),
        collection.unsplittable());
  }

  /** What another request has read of these chunks; null for nothing. */
  private ChunkReading taken(CollectionDocument collection, RoutingTable base, boolean splits) {
    ChunkReading kept = unfinished.get();
    boolean fits = kept != null && kept.isOf(collection, base, splits);
    return fits && unfinished.compareAndSet(kept, null) ? kept : null;
  }

  private void read(OperationContext operation, Source source, ChunkReading reading) {
    RawDocument sort = new BsonBuilder().appendInt32("lastmod", 1).toDocument();
    try {
      config.find(
          operation, source, "chunks", reading::filter, sort, () -> reading, ChunkReading::add);
    } catch (CommandException e) {
      if (reading.size() >= KEPT_CHUNKS_MIN) {
        unfinished.set(reading);
      }
      throw e;
    }
  }
}
