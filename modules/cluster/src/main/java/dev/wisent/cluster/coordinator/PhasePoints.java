package dev.wisent.cluster.coordinator;

import dev.wisent.base.Limits;
import dev.wisent.operation.OperationContext;

/**
 * Where tests hold a coordinator or make it crash: before and after each of its phases, and after
 * each page of a long one.
 */
@FunctionalInterface
public interface PhasePoints {
  PhasePoints NONE = (point, operation) -> {};

  /**
   * @param point {@code type.phase.before}, {@code type.phase.page} or {@code type.phase.after}
   * @throws CoordinatorCrashException to end the run as the death of its node would
   */
  void reach(String point, OperationContext operation);

  /** How many documents a phase changes at a time. */
  default int pageDocuments() {
    return Limits.METADATA_PAGE_DOCUMENTS;
  }
}
