package dev.wisent.security.scram;

/** A login that failed. The message is for the log of this side, never for the other one. */
public final class ScramException extends Exception {
  private static final long serialVersionUID = 1;

  public ScramException(String message) {
    super(message);
  }
}
