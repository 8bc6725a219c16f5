package dev.wisent.cli;

/** Why a command cannot run, in words for the person who typed it. */
final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  StartException(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  StartException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  static StartException badOption(String message) {
    return new StartException(ExitCode.BAD_OPTIONS, message);
  }

  ExitCode exitCode() {
    return exitCode;
  }
}
