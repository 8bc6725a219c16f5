package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Stage;
import java.util.List;

/** One way to make a pipeline cheaper. */
@FunctionalInterface
interface Rule {
  /**
   * Changes the stages from a position on, if there is something to change. What it does must not
   * be undone by any other rule, so that there is an end.
   *
   * @param at the position of a stage
   * @return whether anything was changed
   */
  boolean apply(List<Stage> stages, int at);

  /** The stage at a position if it is of some kind; null if it is not, or there is none. */
  static <T extends Stage> T stage(List<Stage> stages, int at, Class<T> kind) {
    return at < stages.size() && kind.isInstance(stages.get(at)) ? kind.cast(stages.get(at)) : null;
  }
}
