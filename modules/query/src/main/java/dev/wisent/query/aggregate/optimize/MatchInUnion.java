package dev.wisent.query.aggregate.optimize;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.query.aggregate.MatchStage;
import dev.wisent.query.aggregate.Stage;
import dev.wisent.query.aggregate.join.UnionWithStage;
import java.util.List;

/** A filter of a union filters both of its parts. */
final class MatchInUnion implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    UnionWithStage union = Rule.stage(stages, at, UnionWithStage.class);
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    if (union == null || match == null) {
      return false;
    }
    var copy = new BsonBuilder().appendDocument("$match", match.source()).toDocument();
    stages.set(at, match);
    stages.set(at + 1, union.with(copy));
    return true;
  }
}
