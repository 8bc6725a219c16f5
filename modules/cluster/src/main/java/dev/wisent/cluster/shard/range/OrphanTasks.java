package dev.wisent.cluster.shard.range;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.collection.KeyRange;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import java.util.List;
import java.util.UUID;

/**
 * Makes tasks for all ranges that this shard does not own: documents that a write past the routers
 * has left there are deleted with them. What a migration brings and what another task has is left
 * out. The caller sees to it that no migration of the collection begins meanwhile.
 */
public final class OrphanTasks {
  private final RangeDeletionStore store;
  private final Ownership ownership;
  private final Operations documents;
  private final Definitions definitions;
  private final RandomSource random;
  private final Clock clock;

  public OrphanTasks(
      RangeDeleter deleter,
      Ownership ownership,
      Operations documents,
      Definitions definitions,
      RandomSource random,
      Clock clock) {
    this.store = deleter.store();
    this.ownership = ownership;
    this.documents = documents;
    this.definitions = definitions;
    this.random = random;
    this.clock = clock;
  }

  /**
   * Does nothing where this shard does not know the collection.
   *
   * @param uuid of the collection
   * @param skipsEmpty whether ranges without documents get no task
   */
  public void create(
      Namespace namespace, UUID uuid, boolean skipsEmpty, OperationContext operation) {
    OwnedRanges owned = ownership.owned(namespace);
    CollectionInfo collection = definitions.find(namespace);
    if (owned == null
        || owned.unsplittable()
        || collection == null
        || !uuid.equals(owned.uuid())
        || !uuid.equals(collection.uuid())) {
      return;
    }
    OperationContext reading = OperationContext.internal(clock);
    reading.stopCheck(operation::checkNow);
    for (ChunkRange range : orphaned(owned)) {
      long count = count(namespace, owned, range, reading);
      if (count != 0 || !skipsEmpty) {
        store.insert(task(owned, range, Math.max(0, count)), operation);
      }
    }
  }

  /** A migration that ends meanwhile removes its range from the incoming ones with a task. */
  private List<ChunkRange> orphaned(OwnedRanges owned) {
    var left =
        new OwnedRanges(
            owned.namespace(),
            owned.uuid(),
            owned.key(),
            owned.unique(),
            owned.version(),
            owned.gaps());
    for (ChunkRange incoming : ownership.incoming().ranges(owned.uuid())) {
      left = left.without(incoming, left.version());
    }
    for (RangeDeletionTask task : store.all()) {
      if (task.collection().equals(owned.uuid())) {
        left = left.without(task.rangeOf(owned.key()), left.version());
      }
    }
    return left.ranges();
  }

  /** Negative where no index has the keys in order. */
  private long count(
      Namespace namespace, OwnedRanges owned, ChunkRange range, OperationContext operation) {
    List<IndexInfo> indexes = definitions.indexes(namespace);
    KeyRange keys =
        indexes == null ? null : KeyRange.of(owned.key(), indexes, true, range.min(), range.max());
    if (keys == null || keys.isEmpty()) {
      return -1;
    }
    long count = 0;
    try (ResultCursor found = documents.find(operation, keys.keys().build(namespace))) {
      for (; found.peek() != null; found.take()) {
        operation.checkInterrupt();
        count++;
      }
    }
    return count;
  }

  private RawDocument task(OwnedRanges owned, ChunkRange range, long count) {
    var out = new BsonBuilder(512).appendUuid("_id", random.nextUuid());
    out.appendString("nss", owned.namespace().full());
    out.appendUuid("collectionUuid", owned.uuid());
    out.append("donorShardId", ownership.tables().identity().get("shardName"));
    out.appendInt64("numOrphanDocs", count).startDocument("range");
    range.append(out);
    out.end().appendString("whenToClean", "now").appendDate("timestamp", clock.wallMillis());
    return out.append("keyPattern", RawValue.ofDocument(owned.key().pattern())).toDocument();
  }
}
