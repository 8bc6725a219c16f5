package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.pipeline.Pipeline;

/**
 * The first stages of an optimized pipeline that a find can do: match, sort, limit, skip and a
 * projection, in this order.
 *
 * @param count how many stages that are
 * @param projection empty for whole documents
 * @param needs what the other stages look at
 */
public record PushedStages(
    int count,
    RawDocument filter,
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
        request.namespace(), filter, skip, limit, request.hint(), request.collation());
  }
}
