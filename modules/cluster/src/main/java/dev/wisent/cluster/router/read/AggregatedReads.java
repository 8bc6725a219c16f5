package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RemoteCursor;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.database.planner.QueryMetadata;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.PipelineSplit;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.MetaType;
import java.util.List;

/**
 * Pipelines: each shard runs its part, and the merge of the results runs here. Other collections
 * are read from here too, wherever they are.
 */
final class AggregatedReads {
  /** What stands for a collection where there is none. */
  static final String NO_COLLECTION = "$cmd.aggregate";

  private final ReadTargets targets;
  private final StaleRetry stale;
  private final ShardScatter scatter;
  private final RouterOutput output;
  private final SortSettings sorting;

  /**
   * @param sorting what merges may use
   */
  AggregatedReads(
      ShardCalls calls,
      ReadTargets targets,
      StaleRetry stale,
      SortSettings sorting,
      OpenOutputs open) {
    this.sorting = sorting;
    this.stale = stale;
    this.targets = targets;
    this.scatter = new ShardScatter(calls);
    this.output = new RouterOutput(calls, targets, stale, open);
  }

  /**
   * How a pipeline is run.
   *
   * @param shards where its first part runs; none where it reads no collection
   */
  record Plan(PipelineSplit split, List<ReadTarget> shards) {}

  ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    return RoutedViews.read(
        operation,
        request,
        () -> stale.run(operation, () -> open(operation, request)),
        ofView -> aggregate(operation, ofView));
  }

  /** The stages after the source, over its documents. */
  ResultCursor over(
      OperationContext operation, AggregateRequest request, List<RawDocument> documents) {
    RouterStages run = stages(operation, request.namespace());
    var stages = new Pipeline(null, RawDocument.EMPTY, request.pipeline().stages());
    return AggregateCursor.over(new ListCursor(documents), stages, run);
  }

  private RouterStages stages(OperationContext operation, Namespace namespace) {
    return new RouterStages(
        this::aggregate, name -> !targets.isSharded(name), namespace, sorting, output, operation);
  }

  private ResultCursor open(OperationContext operation, AggregateRequest request) {
    Plan plan = plan(operation, request);
    List<ShardRequest> requests =
        ShardScatter.requests(
            plan.shards(), request.namespace().database(), command(plan, request, operation));
    List<RemoteCursor> cursors = scatter.open(operation, requests, 0, false).inputs();
    RouterStages run = stages(operation, request.namespace());
    return new AggregateCursor(plan, cursors, run);
  }

  /** What of it goes to which shards. */
  Plan plan(OperationContext operation, AggregateRequest request) {
    Collation collation = request.collation().or(targets.collation(request.namespace()));
    Pipeline pipeline = Optimizer.optimize(request.pipeline());
    QueryMetadata.check(pipeline.stages(), pipeline.askedMetadata(0));
    PipelineSplit split = split(operation, pipeline, collation);
    if (split.shard() == null) {
      return new Plan(split, List.of());
    }
    List<Stage> stages = pipeline.stages();
    MatchExpression filter = stages.isEmpty() ? null : stages.getFirst().filter();
    List<ReadTarget> shards = targets.of(operation, request.namespace(), filter, collation);
    boolean isWhole = pipeline.source() == null && split.site() == MergeSite.ANYWHERE;
    if (shards.size() == 1 && isWhole) {
      var none = new Pipeline(null, RawDocument.EMPTY, List.of());
      return new Plan(new PipelineSplit(pipeline, null, none, split.site()), shards);
    }
    return new Plan(split, shards);
  }

  private static PipelineSplit split(
      OperationContext operation, Pipeline pipeline, Collation collation) {
    if (pipeline.source() != null) {
      // What a shard reports on is told apart by its name, which is added here.
      return new PipelineSplit(
          pipeline.with(List.of()),
          null,
          new Pipeline(null, RawDocument.EMPTY, pipeline.stages()),
          PipelineSplit.siteOf(pipeline.stages(), QueryContexts.of(operation, collation)));
    }
    // A shard knows nothing of others, so that stages which read collections run here.
    return PipelineSplit.of(
        pipeline, QueryContexts.of(operation, collation), (database, collection) -> false);
  }

  /** The part of a shard; empty where none has one. */
  static RawDocument command(Plan plan, AggregateRequest request, OperationContext operation) {
    Pipeline shard = plan.split().shard();
    if (shard == null) {
      return RawDocument.EMPTY;
    }
    Namespace namespace = request.namespace();
    var out = new BsonBuilder();
    if (namespace.collection().equals(NO_COLLECTION)) {
      out.appendInt32("aggregate", 1);
    } else {
      out.appendString("aggregate", namespace.collection());
    }
    out.appendArray("pipeline", shard.serialize());
    out.startDocument("cursor").end();
    out.appendBoolean("fromRouter", true).appendBoolean("needsMerge", true);
    if (!shard.carried().isEmpty()) {
      out.startArray("carriedMetadata");
      int count = 0;
      for (MetaType type : shard.carried()) {
        out.appendString(Integer.toString(count++), type.text());
      }
      out.end();
    }
    out.startDocument("runtimeConstants").appendDate("localNow", operation.nowMillis()).end();
    ShardCommands.appendHint(out, request.hint());
    ShardCommands.appendCollation(out, request.collation());
    ShardCommands.appendLet(out, operation);
    if (operation.diskUse() != null) {
      out.appendBoolean("allowDiskUse", operation.diskUse());
    }
    if (operation.bypassesValidation()) {
      out.appendBoolean("bypassDocumentValidation", true);
    }
    return out.toDocument();
  }
}
