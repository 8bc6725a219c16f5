package dev.wisent.database.ownership;

import dev.wisent.base.Clock;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * The ranges that come to this shard, as {@code config.migrationRecipients} says: {@code
 * {collectionUuid, range: {min, max}}}. Their documents are here before the range is owned, and
 * look like orphans. A migration says that it is under way before its first document comes: of
 * documents that were seen before this is asked, those in no such range are orphans. Thread-safe.
 */
public final class IncomingRanges {
  private static final Namespace RECEPTIONS = new Namespace("config", "migrationRecipients");

  private final Catalog catalog;
  private final Clock clock;
  private final BiFunction<OperationContext, FindRequest, ResultCursor> reader;

  /**
   * @param reader finds documents of collections
   */
  IncomingRanges(
      Catalog catalog,
      Clock clock,
      BiFunction<OperationContext, FindRequest, ResultCursor> reader) {
    this.catalog = catalog;
    this.clock = clock;
    this.reader = reader;
  }

  /**
   * What the documents of a collection are asked with now; null where nothing comes.
   *
   * @param collection its UUID
   * @param owned what this shard owns of it
   */
  public OwnedKeys of(UUID collection, OwnedRanges owned) {
    List<ChunkRange> ranges = ranges(collection);
    return ranges.isEmpty() ? null : new OwnedKeys(of(owned, ranges));
  }

  /** The ranges of a collection, by its UUID, that are about to come. */
  public List<ChunkRange> ranges(UUID collection) {
    Collection receptions = catalog.find(RECEPTIONS);
    if (receptions == null || receptions.documents() == 0) {
      return List.of();
    }
    var ranges = new ArrayList<ChunkRange>(1);
    FindRequest all = FindRequest.of(RECEPTIONS, RawDocument.EMPTY);
    try (ResultCursor found = reader.apply(OperationContext.internal(clock), all)) {
      for (RawDocument each; (each = found.peek()) != null; found.take()) {
        if (each.get("collectionUuid").asUuid().equals(collection)) {
          RawDocument stored = RawDocument.of(each.toByteArray());
          ranges.add(ChunkRange.of(stored.get("range").asDocument()));
        }
      }
    }
    return ranges;
  }

  private static OwnedRanges of(OwnedRanges owned, List<ChunkRange> ranges) {
    return new OwnedRanges(
        owned.namespace(), owned.uuid(), owned.key(), owned.unique(), owned.version(), ranges);
  }
}
