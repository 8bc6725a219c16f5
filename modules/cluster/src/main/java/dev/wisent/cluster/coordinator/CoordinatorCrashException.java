package dev.wisent.cluster.coordinator;

/** Ends a run where it is, as the death of its node would: its document stays. */
public final class CoordinatorCrashException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CoordinatorCrashException(String point) {
    super("crash at " + point);
  }
}
