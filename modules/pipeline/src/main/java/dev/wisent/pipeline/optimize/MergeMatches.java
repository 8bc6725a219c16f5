package dev.wisent.pipeline.optimize;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.match.AndMatch;
import java.util.ArrayList;
import java.util.List;

/** Two filters in a row are one. */
final class MergeMatches implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage first = Rule.stage(stages, at, MatchStage.class);
    MatchStage second = Rule.stage(stages, at + 1, MatchStage.class);
    if (first == null || second == null) {
      return false;
    }
    stages.remove(at + 1);
    stages.set(at, merge(first, second));
    return true;
  }

  private static MatchStage merge(MatchStage first, MatchStage second) {
    var conditions = new ArrayList<>(Conjunction.of(first.filter()));
    conditions.addAll(Conjunction.of(second.filter()));
    return new MatchStage(both(first.source(), second.source()), AndMatch.of(conditions));
  }

  private static RawDocument both(RawDocument first, RawDocument second) {
    var out = new BsonBuilder();
    out.startArray("$and");
    out.startDocument(0).appendAll(first).end();
    out.startDocument(1).appendAll(second).end();
    return out.end().toDocument();
  }
}
