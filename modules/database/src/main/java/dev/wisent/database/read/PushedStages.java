package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.query.aggregate.GeoNearStage;
import dev.wisent.query.aggregate.LimitStage;
import dev.wisent.query.aggregate.MatchStage;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.query.aggregate.SkipStage;
import dev.wisent.query.aggregate.SortStage;
import dev.wisent.query.aggregate.Stage;
import java.util.List;

/**
 * The first stages of an optimized pipeline that a find can do: match, sort, limit and skip, in
 * this order.
 *
 * @param count how many stages that are
 * @param withTextScores whether the other stages ask for the scores of a text search
 */
public record PushedStages(
    int count,
    RawDocument filter,
    RawDocument sort,
    long skip,
    long limit,
    boolean withTextScores) {
  public static PushedStages of(Pipeline pipeline) {
    List<Stage> stages = pipeline.stages();
    RawDocument filter = RawDocument.EMPTY;
    RawDocument sort = RawDocument.EMPTY;
    long skip = 0;
    long limit = 0;
    int next = 0;
    if (!stages.isEmpty() && stages.getFirst() instanceof GeoNearStage near) {
      boolean scored = pipeline.needsTextScores(0);
      return new PushedStages(0, near.findFilter(), sort, skip, limit, scored);
    }
    if (next < stages.size() && stages.get(next) instanceof MatchStage match) {
      filter = match.source();
      next++;
    }
    if (next < stages.size() && stages.get(next) instanceof SortStage stage) {
      sort = stage.source();
      limit = stage.limit();
      next++;
    }
    if (limit == 0 && next < stages.size() && stages.get(next) instanceof LimitStage stage) {
      limit = stage.count();
      next++;
    }
    // Here the limit comes first, in a find the skip does; of what is not left none can be skipped.
    if (next < stages.size()
        && stages.get(next) instanceof SkipStage stage
        && (limit == 0 || stage.count() < limit)) {
      skip = stage.count();
      limit = limit == 0 ? 0 : limit - skip;
      next++;
    }
    return new PushedStages(next, filter, sort, skip, limit, pipeline.needsTextScores(next));
  }

  public FindRequest toFind(AggregateRequest request) {
    return new FindRequest(
        request.namespace(),
        filter,
        withTextScores ? FindRequest.TEXT_SCORES : RawDocument.EMPTY,
        sort,
        request.hint(),
        skip,
        limit,
        null,
        null,
        false,
        false,
        FindRequest.Tailing.NONE,
        request.collation());
  }
}
