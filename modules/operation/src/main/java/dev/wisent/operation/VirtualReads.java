package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;
import java.util.stream.Stream;

/** Reads of documents that are given instead of stored. */
public interface VirtualReads {
  ResultCursor find(OperationContext operation, FindRequest request, Stream<RawDocument> documents);

  ResultCursor aggregate(
      OperationContext operation, AggregateRequest request, Stream<RawDocument> documents);

  long count(OperationContext operation, CountRequest request, Stream<RawDocument> documents);

  List<RawValue> distinct(
      OperationContext operation, DistinctRequest request, Stream<RawDocument> documents);
}
