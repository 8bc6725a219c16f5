package dev.wisent.cluster.shard.range;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.IncomingRanges;
import dev.wisent.database.ownership.OrphanDeleter;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.collection.KeyRange;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The deletion of one range: candidates are found in the order of the shard key, through an index,
 * and deleted in batches. Between two batches only the place is kept. For one thread.
 */
final class RangeDeletion implements AutoCloseable {
  private static final String RECORD_ID = "$recordId";

  private final Namespace namespace;
  private final RangeDeletionTask task;
  private final OrphanDeleter deleter;
  private final IncomingRanges incomingRanges;
  private final OwnedRanges owned;
  private final OwnedKeys range;
  private final OperationContext operation;
  private final ResultCursor candidates;

  /** Whether candidates are documents, and not only keys. */
  private final boolean scanned;

  /**
   * @param namespace the name that the collection has now
   * @param owned what this shard owns of it
   */
  RangeDeletion(
      RangeDeletionTask task,
      Namespace namespace,
      OwnedRanges owned,
      Ownership ownership,
      Operations documents,
      Definitions definitions,
      OperationContext operation) {
    this.task = task;
    this.namespace = namespace;
    this.deleter = ownership.orphanDeleter();
    this.incomingRanges = ownership.incoming();
    this.owned = owned;
    this.operation = operation;
    ChunkRange bounds = task.rangeOf(owned.key());
    this.range =
        new OwnedKeys(
            new OwnedRanges(
                namespace,
                owned.uuid(),
                owned.key(),
                owned.unique(),
                owned.version(),
                List.of(bounds)));
    List<IndexInfo> indexes = definitions.indexes(namespace);
    KeyRange keys =
        indexes == null
            ? null
            : KeyRange.of(owned.key(), indexes, true, bounds.min(), bounds.max());
    this.scanned = keys == null || keys.isEmpty();
    FindRequest.Builder request = scanned ? new FindRequest.Builder() : keys.keys();
    this.candidates = documents.find(operation, request.showRecordId(true).build(namespace));
  }

  /**
   * Deletes a batch.
   *
   * @param countMax how many candidates are looked at
   * @return null where the collection is gone
   */
  OrphanDeleter.Deleted deleteBatch(int countMax) {
    candidates.attach(operation);
    var records = new ArrayList<Long>();
    for (RawDocument each; records.size() < countMax && (each = candidates.peek()) != null; ) {
      operation.checkInterrupt();
      if (!scanned || range.has(each)) {
        records.add(each.get(RECORD_ID).toLong());
      }
      candidates.take();
    }
    candidates.detach();
    return records.isEmpty()
        ? new OrphanDeleter.Deleted(0, 0)
        : deleter.delete(
            new OrphanDeleter.Candidates(namespace, task.collection(), records, deletable()),
            operation);
  }

  /**
   * Which of the candidates that were found may be deleted: what a migration brings has its own
   * end.
   */
  private Predicate<RawDocument> deletable() {
    OwnedKeys incoming = incomingRanges.of(task.collection(), owned);
    return incoming == null
        ? range::has
        : document -> range.has(document) && !incoming.has(document);
  }

  /** Whether all candidates were looked at. */
  boolean isAtEnd() {
    return candidates.isExhausted();
  }

  @Override
  public void close() {
    candidates.close();
  }
}
