package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.match.MatchExpression;

/**
 * The first stages of an optimized pipeline that a find can do: match, sort, limit, skip and a
 * projection, in this order.
 *
 * @param count how many stages that are
 * @param parsedFilter the filter in the collation of the pipeline; null for none, and for one that
 *     only its source tells
 * @param projection empty for whole documents
 * @param needs what the other stages look at
 */
public record PushedStages(
    int count,
    RawDocument filter,
    MatchExpression parsedFilter,
    RawDocument sort,
    long skip,
    long limit,
    RawDocument projection,
    PipelineDependencies needs) {
  static PushedStages of(Pipeline pipeline) {
    return new StagePusher(pipeline).push();
  }

  public FindRequest toFind(AggregateRequest request) {
    return new FindRequest.Builder()
        .filter(filter)
        .parsedFilter(parsedFor(request))
        .projection(projection)
        .sort(sort)
        .hint(request.hint())
        .skip(skip)
        .limit(limit)
        .collation(request.collation())
        .needs(needs)
        .build(request.namespace());
  }

  /** The same for one who only wants to know how many there are. */
  public CountRequest toCount(AggregateRequest request) {
    return new CountRequest(
        request.namespace(),
        filter,
        parsedFor(request),
        skip,
        limit,
        request.hint(),
        request.collation());
  }

  /** A collection that takes the place of another meanwhile may have another collation. */
  private MatchExpression parsedFor(AggregateRequest request) {
    return request.collation().isInherited() ? null : parsedFilter;
  }
}
