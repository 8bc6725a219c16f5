package dev.wisent.tools.command;

/** Why a tool cannot go on, in words for its user. */
public final class ToolException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean ofOptions;

  private ToolException(String message, boolean ofOptions, Throwable cause) {
    super(message, cause);
    this.ofOptions = ofOptions;
  }

  /** The command line is wrong. */
  public static ToolException badOption(String message) {
    return new ToolException(message, true, null);
  }

  public static ToolException failed(String message) {
    return new ToolException(message, false, null);
  }

  public static ToolException failed(String message, Throwable cause) {
    return new ToolException(message, false, cause);
  }

  /** Whether the command line is wrong. */
  public boolean isOfOptions() {
    return ofOptions;
  }
}
