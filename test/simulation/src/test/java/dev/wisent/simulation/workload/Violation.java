package dev.wisent.simulation.workload;

/** The cluster has broken a promise. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Violation(String message) {
    super(message);
  }

  /** Whether an error was a broken promise, and not one of the simulation itself. */
  public static boolean isCauseOf(Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof Violation) {
        return true;
      }
    }
    return false;
  }
}
