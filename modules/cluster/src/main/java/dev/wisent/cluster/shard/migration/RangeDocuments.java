package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.collection.KeyRange;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;

/** The documents of a range on this shard, in the order of their shard keys. */
public final class RangeDocuments {
  private final Operations documents;
  private final Namespace namespace;
  private final KeyRange range;

  /** Fails where no index has the keys in order. */
  public RangeDocuments(
      Operations documents,
      Definitions definitions,
      Namespace namespace,
      ShardKeyPattern key,
      ChunkRange range) {
    List<IndexInfo> indexes = definitions.indexes(namespace);
    this.documents = documents;
    this.namespace = namespace;
    this.range = indexes == null ? null : KeyRange.of(key, indexes, true, range.min(), range.max());
    if (this.range == null) {
      throw new CommandException(
          ErrorCode.INDEX_NOT_FOUND,
          "can't find index with prefix " + ValueText.of(key.pattern()) + " for " + namespace);
    }
  }

  public ResultCursor open(OperationContext operation) {
    return documents.find(operation, range.documents().build(namespace));
  }

  /** The first documents of the range. */
  List<RawDocument> first(OperationContext operation, int count) {
    var found = new ArrayList<RawDocument>();
    FindRequest request = range.documents().limit(count).build(namespace);
    try (ResultCursor cursor = documents.find(operation, request)) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        operation.checkInterrupt();
        found.add(RawDocument.of(each.toByteArray()));
      }
    }
    return found;
  }

  /** How many there are; only the index is read. */
  public long count(OperationContext operation) {
    long count = 0;
    try (ResultCursor keys = documents.find(operation, range.keys().build(namespace))) {
      for (; keys.peek() != null; keys.take()) {
        operation.checkInterrupt();
        count++;
      }
    }
    return count;
  }
}
