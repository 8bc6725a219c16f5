package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;
import java.util.Set;

/** Explains operations on shards: what each of them tells, and what is done with the results. */
final class ExplainedReads {
  private final ReadTargets targets;
  private final ScatteredReads scattered;
  private final AggregatedReads aggregated;
  private final ShardScatter scatter;

  ExplainedReads(
      ShardCalls calls, ReadTargets targets, ScatteredReads scattered, AggregatedReads aggregated) {
    this.targets = targets;
    this.scattered = scattered;
    this.aggregated = aggregated;
    this.scatter = new ShardScatter(calls);
  }

  /**
   * What is explained.
   *
   * @param stage what the router does with the results
   */
  private record Explained(List<ReadTarget> shards, String stage) {}

  RawDocument explain(OperationContext operation, ExplainRequest request) {
    long start = operation.clock().monotonicNanos();
    if (request.request() instanceof AggregateRequest aggregate) {
      AggregatedReads.Plan plan = aggregated.plan(operation, aggregate);
      RawDocument command = AggregatedReads.command(plan, aggregate, operation);
      List<ShardReply> replies =
          ask(operation, request, plan.shards(), command.without(Set.of("cursor")));
      return PipelineExplanation.of(plan, replies, request);
    }
    Explained explained = explained(operation, request);
    // As the client has asked it: what the router adds to merge the results is no part of a plan.
    RawDocument command = request.command().without(Set.of("$db", "maxTimeMS"));
    List<ShardReply> replies = ask(operation, request, explained.shards(), command);
    if (isOfView(replies)) {
      return PipelineExplanation.ofOneShard(replies.getFirst(), request);
    }
    long nanos = operation.clock().monotonicNanos() - start;
    return new QueryExplanation(targets, explained.stage(), replies).toDocument(request, nanos);
  }

  /** The primary shard itself explains the pipeline of a view that reads unsharded collections. */
  private static boolean isOfView(List<ShardReply> replies) {
    return replies.size() == 1 && replies.getFirst().get().get("stages") != null;
  }

  private Explained explained(OperationContext operation, ExplainRequest request) {
    Namespace namespace = request.request().namespace();
    return switch (request.request()) {
      case FindRequest find -> {
        var selected = scattered.select(namespace, find.filter(), find.collation(), operation);
        boolean sorted = ScatteredReads.orderOf(find, selected) != null;
        yield new Explained(selected.shards(), reading(selected.shards(), sorted));
      }
      case CountRequest count -> reading(namespace, count.query(), count.collation(), operation);
      case DistinctRequest distinct ->
          reading(namespace, distinct.query(), distinct.collation(), operation);
      case UpdateRequest update -> {
        UpdateStatement first = update.statements().getFirst();
        yield writing(namespace, first.query(), first.collation(), operation);
      }
      case DeleteRequest delete -> {
        DeleteStatement first = delete.statements().getFirst();
        yield writing(namespace, first.query(), first.collation(), operation);
      }
      case FindAndModifyRequest change ->
          writing(namespace, change.query(), change.collation(), operation);
      case AggregateRequest aggregate -> throw new IllegalStateException("explained otherwise");
    };
  }

  private Explained reading(
      Namespace namespace,
      RawDocument query,
      CollationChoice collation,
      OperationContext operation) {
    var selected = scattered.select(namespace, query, collation, operation);
    return new Explained(selected.shards(), reading(selected.shards(), false));
  }

  private static String reading(List<ReadTarget> shards, boolean sorted) {
    if (shards.size() == 1) {
      return "SINGLE_SHARD";
    }
    return sorted ? "SHARD_MERGE_SORT" : "SHARD_MERGE";
  }

  private Explained writing(
      Namespace namespace,
      RawDocument query,
      CollationChoice collation,
      OperationContext operation) {
    var selected = scattered.select(namespace, query, collation, operation);
    return new Explained(selected.shards(), "SHARD_WRITE");
  }

  private List<ShardReply> ask(
      OperationContext operation,
      ExplainRequest request,
      List<ReadTarget> shards,
      RawDocument command) {
    String database = request.request().namespace().database();
    List<ShardRequest> requests =
        shards.stream()
            .map(
                target -> {
                  var out = new BsonBuilder();
                  out.appendDocument("explain", target.versioned(command));
                  out.appendString("verbosity", request.verbosity().text());
                  return ShardRequest.read(target.shard(), database, out.toDocument());
                })
            .toList();
    return scatter.all(operation, requests);
  }

  /** A document in a reply; empty where there is none. */
  static RawDocument document(RawDocument reply, String field) {
    RawValue value = reply.get(field);
    return value == null || !value.isDocument() ? RawDocument.EMPTY : value.asDocument();
  }
}
