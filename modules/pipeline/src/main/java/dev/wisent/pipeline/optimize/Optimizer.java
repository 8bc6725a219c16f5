package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/** Moves, merges and drops the stages of a pipeline. */
public final class Optimizer {
  private static final List<Rule> RULES =
      List.of(
          new DropEmptyMatch(),
          new NothingMatches(),
          new MergeMatches(),
          new MatchEarlier(),
          new MatchBeforeReplaceRoot(),
          new MatchOnKeysEarlier(),
          new LookupTakesUnwind(),
          new LookupTakesMatch(),
          new MatchInUnion(),
          new OptimizeFacets(),
          new MergeLimits(),
          new MergeSkips(),
          new LimitBeforeSkip(),
          new CutBeforeShaping(),
          new SortTakesLimit(),
          new SortBeforeUnwind(),
          new DropEarlierSort(),
          new DropUselessSort(),
          new DropUnneededLists());

  private Optimizer() {}

  /** A pipeline that gives the same with less work. */
  public static Pipeline optimize(Pipeline pipeline) {
    List<Stage> optimized = optimize(pipeline.stages());
    return optimized.equals(pipeline.stages()) ? pipeline : pipeline.with(optimized);
  }

  private static List<Stage> optimize(List<Stage> stages) {
    var changed = new ArrayList<>(stages);
    int at = 0;
    while (at < changed.size()) {
      // What was changed here may give the stages before it something to do.
      at = applyAny(changed, at) ? Math.max(0, at - 2) : at + 1;
    }
    return List.copyOf(changed);
  }

  private static boolean applyAny(List<Stage> stages, int at) {
    for (Rule rule : RULES) {
      if (rule.apply(stages, at)) {
        return true;
      }
    }
    return false;
  }
}
