package dev.wisent.simulation.workload;

/** The cluster has broken a promise. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Violation(String message) {
    super(message);
  }
}
