package dev.wisent.cluster.coordinator;

import dev.wisent.bson.RawDocument;

/**
 * One step of a coordinator. It may run several times, also when it has succeeded before.
 *
 * @param name unique in its coordinator, and stored: it does not change between versions
 * @param reversible whether a failure of this phase can be undone; from the first one that cannot,
 *     phases are repeated until they succeed
 */
public record Phase(String name, boolean reversible, Action action) {
  /** What a phase does. */
  @FunctionalInterface
  public interface Action {
    /** Returns fields that later phases need; they are stored with the coordinator. */
    RawDocument run(PhaseContext context);
  }

  /** A step that stores nothing. */
  @FunctionalInterface
  public interface Step {
    void run(PhaseContext context);
  }

  /** One whose failure fails the coordinator, after what was done is undone. */
  public static Phase reversible(String name, Step step) {
    return new Phase(name, true, storingNothing(step));
  }

  /** The same, whose fields are stored. */
  public static Phase deciding(String name, Action action) {
    return new Phase(name, true, action);
  }

  /** One that is repeated until it succeeds. */
  public static Phase untilDone(String name, Step step) {
    return new Phase(name, false, storingNothing(step));
  }

  private static Action storingNothing(Step step) {
    return context -> {
      step.run(context);
      return RawDocument.EMPTY;
    };
  }
}
