package dev.wisent.cluster.router;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.router.diagnostic.RouterSources;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.cluster.router.stream.ClusterStreams;
import dev.wisent.cluster.router.write.WriteRouting;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.query.collation.Collation;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;

/** Documents on several shards, for the commands that all roles have. */
final class RouterOperations implements Operations {
  private final RoutingCatalog catalog;
  private final ReadRouting reads;
  private final WriteRouting writes;
  private final ClusterStreams streams;
  private volatile PipelineSources sources;

  RouterOperations(
      RoutingCatalog catalog, ReadRouting reads, WriteRouting writes, ClusterStreams streams) {
    this.streams = streams;
    this.catalog = catalog;
    this.reads = reads;
    this.writes = writes;
  }

  /** Before the first request. */
  void sources(PipelineSources of) {
    sources = of;
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    CollectionRouting collection = catalog.collection(operation, namespace);
    return collection == null || collection.defaultCollation().isEmpty()
        ? null
        : Collation.parse(collection.defaultCollation());
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    return reads.find(operation, request);
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    if (ChangeStreamStage.of(request.pipeline()) != null) {
      return streams.open(operation, request);
    }
    return isOfCluster(request)
        ? reads.over(
            operation,
            request,
            sources.documents(request.pipeline(), request.namespace(), operation))
        : reads.aggregate(operation, request);
  }

  /**
   * Whether the documents of a pipeline are not those of a collection, but what this router finds
   * out.
   */
  private static boolean isOfCluster(AggregateRequest request) {
    String source = request.pipeline().source();
    return source != null
        && request.namespace().collection().equals("$cmd.aggregate")
        && RouterSources.answers(source);
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    return reads.count(operation, request);
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    return reads.distinct(operation, request);
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    boolean stream =
        request.request() instanceof AggregateRequest aggregate
            && ChangeStreamStage.of(aggregate.pipeline()) != null;
    return stream ? streams.explain(operation, request) : reads.explain(operation, request);
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    return writes.insert(operation, request);
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    return writes.update(operation, request);
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    return writes.delete(operation, request);
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    return writes.findAndModify(operation, request);
  }

  /** Each shard waits for what a write concern asks for. */
  @Override
  public void awaitDurable(OperationContext operation) {}
}
