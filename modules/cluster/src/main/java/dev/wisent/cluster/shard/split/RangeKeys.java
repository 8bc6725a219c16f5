package dev.wisent.cluster.shard.split;

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
import java.util.List;

/** The shard keys in a range of a collection, in their order, from an index. */
public final class RangeKeys {
  private final Operations documents;
  private final Namespace namespace;
  private final KeyRange range;

  private RangeKeys(Operations documents, Namespace namespace, KeyRange range) {
    this.documents = documents;
    this.namespace = namespace;
    this.range = range;
  }

  /** Takes the keys of a range. */
  @FunctionalInterface
  public interface Consumer {
    /** False when no more keys are needed. */
    boolean accept(RawDocument key);
  }

  /** Fails where there is no collection, or no index that has its keys in order. */
  public static RangeKeys of(
      Operations documents,
      Definitions definitions,
      Namespace namespace,
      ShardKeyPattern key,
      ChunkRange bounds) {
    List<IndexInfo> indexes = definitions.indexes(namespace);
    if (indexes == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "ns not found: " + namespace.full());
    }
    KeyRange range = KeyRange.of(key, indexes, false, bounds.min(), bounds.max());
    if (range == null) {
      throw new CommandException(
          ErrorCode.INDEX_NOT_FOUND,
          "couldn't find index over splitting key " + ValueText.of(key.pattern()));
    }
    return new RangeKeys(documents, namespace, range);
  }

  /** Hands on the keys until no more are needed; false where there is none. */
  public boolean forEach(OperationContext operation, Consumer keys) {
    boolean any = false;
    if (range.isEmpty()) {
      return false;
    }
    try (ResultCursor cursor = documents.find(operation, range.keys().build(namespace))) {
      for (RawDocument found; (found = cursor.peek()) != null; cursor.take()) {
        operation.checkInterrupt();
        any = true;
        if (!keys.accept(range.keyOf(found))) {
          break;
        }
      }
    }
    return any;
  }

  public long count(OperationContext operation) {
    long[] count = {0};
    forEach(operation, key -> ++count[0] > 0);
    return count[0];
  }

  /** The size of a document with a key; 0 where there is none any more. */
  int documentBytes(OperationContext operation, RawDocument key) {
    FindRequest request = range.from(key).documents().limit(1).build(namespace);
    try (ResultCursor cursor = documents.find(operation, request)) {
      RawDocument found = cursor.peek();
      return found == null ? 0 : found.length();
    }
  }
}
