package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import java.util.List;

/**
 * What commands do with documents. A node binds it to its own collections, a router to shards, so
 * that parsing, checking and the shape of replies exist once.
 *
 * <p>Writes are visible to all readers when the methods return. {@link #awaitDurable} makes them
 * survive a power failure too.
 */
public interface Operations {
  /** What operations on a collection use that name no collation; null for the simple one. */
  Collation collation(OperationContext operation, Namespace namespace);

  ResultCursor find(OperationContext operation, FindRequest request);

  /** Runs a pipeline. */
  ResultCursor aggregate(OperationContext operation, AggregateRequest request);

  WriteOutcome insert(OperationContext operation, InsertRequest request);

  WriteOutcome update(OperationContext operation, UpdateRequest request);

  WriteOutcome delete(OperationContext operation, DeleteRequest request);

  FindAndModifyOutcome findAndModify(OperationContext operation, FindAndModifyRequest request);

  long count(OperationContext operation, CountRequest request);

  List<RawValue> distinct(OperationContext operation, DistinctRequest request);

  /**
   * How an operation is answered, as the reply of explain; it changes nothing, even if it is a
   * write.
   */
  RawDocument explain(OperationContext operation, ExplainRequest request);

  /**
   * Stands for the documents of a collection, for caches: as long as the same object is returned,
   * none has changed. Without an override every call tells of a change.
   */
  default Object version(Namespace namespace) {
    return new Object();
  }

  /** Returns when everything written before is on disk. */
  void awaitDurable(OperationContext operation);
}
