package dev.wisent.cluster.router.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.util.List;

/**
 * Reads of sharded collections on several shards. What is for one shard does not get here: the
 * router passes its bytes on. The client's own arguments are in {@code
 * RoutedOperation.of(operation).request()}.
 */
public interface ReadRouting {
  ResultCursor find(OperationContext operation, FindRequest request);

  ResultCursor aggregate(OperationContext operation, AggregateRequest request);

  /**
   * What the stages after the first make of documents that this router knows itself.
   *
   * @param documents of the pipeline's first stage
   */
  ResultCursor over(
      OperationContext operation, AggregateRequest request, List<RawDocument> documents);

  long count(OperationContext operation, CountRequest request);

  List<RawValue> distinct(OperationContext operation, DistinctRequest request);

  RawDocument explain(OperationContext operation, ExplainRequest request);
}
