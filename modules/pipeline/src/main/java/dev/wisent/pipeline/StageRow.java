package dev.wisent.pipeline;

import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A row in the table of stages.
 *
 * @param parser makes of a stage's argument the stages that do it, mostly one
 */
public record StageRow(
    String name, BiFunction<RawValue, QueryContext, List<Stage>> parser, Set<StageTrait> traits) {
  /** A stage that is done by one. */
  public static StageRow of(
      String name, BiFunction<RawValue, QueryContext, Stage> parser, StageTrait... traits) {
    return expanded(name, (argument, context) -> List.of(parser.apply(argument, context)), traits);
  }

  /** A stage that is an abbreviation of others. */
  public static StageRow expanded(
      String name, BiFunction<RawValue, QueryContext, List<Stage>> parser, StageTrait... traits) {
    return new StageRow(name, parser, Set.of(traits));
  }

  boolean is(StageTrait trait) {
    return traits.contains(trait);
  }
}
