package dev.wisent.bench.target;

/** A target that this machine does not have; not a failure. */
public final class TargetUnavailableException extends Exception {
  private static final long serialVersionUID = 1;

  public TargetUnavailableException(String message) {
    super(message);
  }
}
