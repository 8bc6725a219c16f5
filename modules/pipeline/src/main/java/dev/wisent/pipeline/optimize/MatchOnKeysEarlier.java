package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.InMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.NorMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import java.util.List;
import java.util.Set;

/** Filters on what documents are gathered by can leave out whole groups before there are any. */
final class MatchOnKeysEarlier implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    Set<String> keys = stages.get(at).keyPaths();
    if (match == null || keys.isEmpty()) {
      return false;
    }
    var earlier = new EarlierFilter(stages.get(at).modifiedPaths());
    return FilterSplit.of(
            match.filter(),
            condition ->
                treatsEqualAlike(condition) && isOn(keys, condition) ? earlier.of(condition) : null)
        .around(stages, at);
  }

  private static boolean isOn(Set<String> keys, MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    return read.paths().stream()
        .allMatch(path -> keys.stream().anyMatch(key -> EarlierFilter.leadsTo(key, path)));
  }

  /** Of values that are equal, such as 1 and 1.0, or null and a missing one, both pass or none. */
  private static boolean treatsEqualAlike(MatchExpression condition) {
    return switch (condition) {
      case AndMatch and -> and.children().stream().allMatch(MatchOnKeysEarlier::treatsEqualAlike);
      case OrMatch or -> or.children().stream().allMatch(MatchOnKeysEarlier::treatsEqualAlike);
      case NorMatch nor -> nor.children().stream().allMatch(MatchOnKeysEarlier::treatsEqualAlike);
      case NotMatch not -> treatsEqualAlike(not.child());
      case ComparisonMatch ignored -> true;
      case InMatch in -> in.regexes().isEmpty();
      default -> false;
    };
  }
}
