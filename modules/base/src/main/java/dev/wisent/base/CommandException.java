package dev.wisent.base;

import java.util.List;

/**
 * An error that is reported to the client as it stands: number, name, message and the labels that
 * drivers act on. It is a result, not a fault of the server, so it carries no stack trace.
 */
public class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final List<String> labels;

  public CommandException(ErrorCode code, String message) {
    this(code, message, List.of());
  }

  public CommandException(ErrorCode code, String message, List<String> labels) {
    super(message, null, false, false);
    this.code = code;
    this.labels = List.copyOf(labels);
  }

  /** The same, with what was being done in front of the message. */
  public CommandException during(String context) {
    return new CommandException(code, context + " :: caused by :: " + getMessage(), labels);
  }

  public ErrorCode code() {
    return code;
  }

  /** Error labels such as {@code RetryableWriteError}. */
  public List<String> labels() {
    return labels;
  }
}
