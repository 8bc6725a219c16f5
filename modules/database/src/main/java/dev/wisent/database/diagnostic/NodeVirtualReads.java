package dev.wisent.database.diagnostic;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.database.read.PipelineCursor;
import dev.wisent.database.view.ReadStages;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.VirtualReads;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.List;
import java.util.stream.Stream;

/** Reads given documents as pipelines that may also read the collections of a node. Thread-safe. */
public final class NodeVirtualReads implements VirtualReads {
  private final NodeDatabase database;

  public NodeVirtualReads(NodeDatabase database) {
    this.database = database;
  }

  private static List<RawDocument> matching(
      RawDocument filter,
      CollationChoice choice,
      OperationContext operation,
      Stream<RawDocument> documents) {
    MatchExpression matching =
        MatchParser.parse(filter, QueryContexts.of(operation, choice.or(null)));
    return documents.filter(matching::matches).toList();
  }

  @Override
  public ResultCursor find(
      OperationContext operation, FindRequest request, Stream<RawDocument> documents) {
    var found =
        new ListCursor(matching(request.filter(), request.collation(), operation, documents));
    Pipeline rest =
        Pipeline.parse(
            ReadStages.withoutFilter(request),
            QueryContexts.of(operation, request.collation().or(null)));
    return new PipelineCursor(found, rest, 0, database.stages(operation, request.namespace()));
  }

  @Override
  public ResultCursor aggregate(
      OperationContext operation, AggregateRequest request, Stream<RawDocument> documents) {
    return new PipelineCursor(
        new ListCursor(documents.toList()),
        request.pipeline(),
        0,
        database.stages(operation, request.namespace()));
  }

  @Override
  public long count(
      OperationContext operation, CountRequest request, Stream<RawDocument> documents) {
    return Counter.within(
        matching(request.query(), request.collation(), operation, documents).size(),
        request.skip(),
        request.limit());
  }

  @Override
  public List<RawValue> distinct(
      OperationContext operation, DistinctRequest request, Stream<RawDocument> documents) {
    var values = new DistinctValues(request.key(), request.collation().or(null));
    matching(request.query(), request.collation(), operation, documents).forEach(values::addFrom);
    return values.values();
  }
}
