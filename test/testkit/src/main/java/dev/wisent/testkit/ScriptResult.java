package dev.wisent.testkit;

/** How a script ended and what it printed. */
public record ScriptResult(int exitCode, String stdout, String stderr) {

  /** Both streams and the exit code, for failure messages. */
  public String text() {
    return "exit code " + exitCode + "\n--- stdout ---\n" + stdout + "\n--- stderr ---\n" + stderr;
  }
}
