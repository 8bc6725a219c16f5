package dev.wisent.cluster.coordinator;

import dev.wisent.operation.OperationContext;

/** Where tests hold a coordinator or make it crash: before and after each of its phases. */
@FunctionalInterface
public interface PhasePoints {
  PhasePoints NONE = (point, operation) -> {};

  /**
   * @param point {@code type.phase.before} or {@code type.phase.after}
   * @throws CoordinatorCrashException to end the run as the death of its node would
   */
  void reach(String point, OperationContext operation);
}
