package dev.wisent.cluster.shard;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.collection.KeyRange;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.sharding.OwnedRanges;
import java.util.List;
import java.util.function.Predicate;

/** Counts the documents of a collection that a shard with given ranges would not own. */
final class OrphanCount {
  private final Operations documents;
  private final Definitions definitions;

  OrphanCount(Operations documents, Definitions definitions) {
    this.documents = documents;
    this.definitions = definitions;
  }

  /** Of an index with the shard key only what is not owned is read. */
  long of(OperationContext operation, OwnedRanges owned) {
    List<IndexInfo> indexes = owned.isComplete() ? null : definitions.indexes(owned.namespace());
    if (indexes == null) {
      return 0;
    }
    long count = 0;
    for (ChunkRange gap : owned.gaps()) {
      KeyRange range = KeyRange.of(owned.key(), indexes, true, gap.min(), gap.max());
      if (range == null) {
        return scanned(operation, owned);
      }
      count += count(operation, range.keys().build(owned.namespace()), key -> true);
    }
    return count;
  }

  private long scanned(OperationContext operation, OwnedRanges owned) {
    var keys = new OwnedKeys(owned);
    FindRequest all = FindRequest.of(owned.namespace(), RawDocument.EMPTY);
    return count(operation, all, document -> !keys.has(document));
  }

  private long count(
      OperationContext operation, FindRequest request, Predicate<RawDocument> counts) {
    long count = 0;
    try (ResultCursor found = documents.find(operation, request)) {
      for (RawDocument each; (each = found.peek()) != null; found.take()) {
        operation.checkInterrupt();
        count += counts.test(each) ? 1 : 0;
      }
    }
    return count;
  }
}
