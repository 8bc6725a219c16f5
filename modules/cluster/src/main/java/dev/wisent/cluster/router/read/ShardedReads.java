package dev.wisent.cluster.router.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.database.read.DistinctValues;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;
import java.util.function.Function;

/** Reads of all kinds, routed anew where a shard knows a newer version. Thread-safe. */
public final class ShardedReads implements ReadRouting {
  private final StaleRetry stale;
  private final ScatteredReads scattered;
  private final AggregatedReads aggregated;
  private final ExplainedReads explained;

  /**
   * @param databases the routing of a database, which is created where it does not exist: for what
   *     pipelines write
   * @param sorting what merges may use
   */
  public ShardedReads(
      ShardCalls calls,
      RoutingCatalog catalog,
      Function<String, DatabaseRouting> databases,
      SortSettings sorting,
      OpenOutputs open) {
    var targets = new CatalogTargets(catalog, databases);
    this.stale = new StaleRetry(catalog);
    this.scattered = new ScatteredReads(calls, targets);
    this.aggregated = new AggregatedReads(calls, targets, stale, sorting, open);
    this.explained = new ExplainedReads(calls, targets, scattered, aggregated);
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    return RoutedViews.read(
        operation,
        request,
        () -> stale.run(operation, () -> scattered.find(operation, request)),
        ofView -> aggregated.aggregate(operation, ofView));
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    return aggregated.aggregate(operation, request);
  }

  @Override
  public ResultCursor over(
      OperationContext operation, AggregateRequest request, List<RawDocument> documents) {
    return aggregated.over(operation, request, documents);
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return RoutedViews.read(
        operation,
        request,
        () -> stale.run(operation, () -> scattered.count(operation, request)),
        ofView -> counted(operation, ofView));
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    return RoutedViews.read(
        operation,
        request,
        () -> stale.run(operation, () -> scattered.distinct(operation, request)),
        views -> views.documents(request, operation),
        ofView -> distinct(operation, ofView, request.key()));
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    return RoutedViews.read(
        operation,
        request.request(),
        () -> stale.run(operation, () -> explained.explain(operation, request)),
        ofView -> stale.run(operation, () -> explained.explain(operation, request.of(ofView))));
  }

  private long counted(OperationContext operation, AggregateRequest ofView) {
    try (ResultCursor counted = aggregated.aggregate(operation, ofView)) {
      return counted.peek() == null ? 0 : counted.peek().get("count").toLong();
    }
  }

  private List<RawValue> distinct(OperationContext operation, AggregateRequest ofView, String key) {
    try (ResultCursor documents = aggregated.aggregate(operation, ofView)) {
      return DistinctValues.of(key, documents, ofView.collation().or(null));
    }
  }
}
