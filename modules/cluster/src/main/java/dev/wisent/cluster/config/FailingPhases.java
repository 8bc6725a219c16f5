package dev.wisent.cluster.config;

import dev.wisent.base.Limits;
import dev.wisent.cluster.coordinator.CoordinatorCrashException;
import dev.wisent.cluster.coordinator.PhasePoints;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.failpoint.FailPoints;

/** The phases of coordinators as fail points have them. */
record FailingPhases(FailPoints failPoints) implements PhasePoints {
  @Override
  public void reach(String point, OperationContext operation) {
    if (failPoints.crashesAt(point, operation)) {
      throw new CoordinatorCrashException(point);
    }
  }

  @Override
  public int pageDocuments() {
    return failPoints.pageDocuments(Limits.METADATA_PAGE_DOCUMENTS);
  }
}
