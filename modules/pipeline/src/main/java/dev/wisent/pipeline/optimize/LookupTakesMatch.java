package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.join.LookupStage;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchSource;
import dev.wisent.query.match.MovedMatch;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/** Documents of the other collection that a filter leaves out later need not be joined. */
final class LookupTakesMatch implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    LookupStage lookup = Rule.stage(stages, at, LookupStage.class);
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    if (lookup == null || match == null || !lookup.takesFilter() || lookup.as().length() > 1) {
      return false;
    }
    String prefix = lookup.as().dotted() + ".";
    FilterSplit split = FilterSplit.of(match.filter(), condition -> inside(prefix, condition));
    if (split.before().isEmpty()) {
      return false;
    }
    stages.set(at, lookup.withFilter(MatchSource.of(AndMatch.of(split.before()))));
    if (split.after().isEmpty()) {
      stages.remove(at + 1);
    } else {
      stages.set(at + 1, MatchStage.of(AndMatch.of(split.after())));
    }
    return true;
  }

  private static MatchExpression inside(String prefix, MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    boolean possible =
        !read.isRandom()
            && !read.paths().isEmpty()
            && MovedMatch.isPossible(condition)
            && read.paths().stream().allMatch(path -> path.startsWith(prefix));
    return possible
        ? MovedMatch.of(condition, path -> FieldPath.of(path.dotted().substring(prefix.length())))
        : null;
  }
}
