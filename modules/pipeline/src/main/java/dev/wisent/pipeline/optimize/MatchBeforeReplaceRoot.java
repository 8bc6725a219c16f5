package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.ReplaceRootStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MovedMatch;
import dev.wisent.query.match.NotMatch;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.TypeMatch;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * Where a field takes the place of the document, filters can look into the field. What is no
 * document there passes, so that the stage can complain about it.
 */
final class MatchBeforeReplaceRoot implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    MatchStage match = Rule.stage(stages, at + 1, MatchStage.class);
    ReplaceRootStage replace = Rule.stage(stages, at, ReplaceRootStage.class);
    if (match == null
        || replace == null
        || !(replace.expression() instanceof FieldPathExpression field)
        || field.path().length() > 1) {
      return false;
    }
    return FilterSplit.of(match.filter(), condition -> below(field.path(), condition))
        .around(stages, at);
  }

  private static MatchExpression below(FieldPath root, MatchExpression condition) {
    var read = new Dependencies();
    condition.addDependencies(read);
    if (read.isRandom() || !MovedMatch.isPossible(condition)) {
      return null;
    }
    MatchExpression inside =
        MovedMatch.of(condition, path -> FieldPath.of(root.dotted() + "." + path.dotted()));
    var noDocument =
        new NotMatch(new TypeMatch(root, TypeMatch.typesOfAlias("object"), WorkMeter.unchecked()));
    return new OrMatch(List.of(inside, noDocument));
  }
}
