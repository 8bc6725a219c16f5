package dev.wisent.query.context;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Where something stands that is inside other pipelines.
 *
 * @param depth how many pipelines are around it
 * @param variables those that may be named, but have no value yet: each document of a pipeline
 *     around it gives them other ones
 * @param inUpdate whether it is the pipeline of an update
 * @param ofRouter whether a router wrote it, which may use stages and options that clients may not
 */
public record Nesting(int depth, List<String> variables, boolean inUpdate, boolean ofRouter) {
  /** In no other pipeline. */
  public static final Nesting NONE = new Nesting(0, List.of(), false, false);

  public Nesting {
    variables = List.copyOf(variables);
  }

  /** One pipeline further in. */
  Nesting deeper() {
    if (depth == Limits.SUB_PIPELINE_DEPTH_MAX) {
      throw new CommandException(
          ErrorCode.MAX_SUB_PIPELINE_DEPTH_EXCEEDED,
          "Maximum number of nested sub-pipelines exceeded. Limit is "
              + Limits.SUB_PIPELINE_DEPTH_MAX);
    }
    return new Nesting(depth + 1, variables, inUpdate, ofRouter);
  }

  /** With more variables. */
  Nesting declaring(List<String> names) {
    var all = new ArrayList<>(variables);
    all.addAll(names);
    return new Nesting(depth, all, inUpdate, ofRouter);
  }
}
