package dev.wisent.cli.advise;

/** Why there is no advice. */
public final class AdviseException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean ofOptions;

  private AdviseException(String message, boolean ofOptions) {
    super(message);
    this.ofOptions = ofOptions;
  }

  static AdviseException badOption(String message) {
    return new AdviseException(message, true);
  }

  static AdviseException failed(String message) {
    return new AdviseException(message, false);
  }

  /** Whether the command line is wrong. */
  public boolean isOfOptions() {
    return ofOptions;
  }
}
