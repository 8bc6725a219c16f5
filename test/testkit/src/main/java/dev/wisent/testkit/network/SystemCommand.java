package dev.wisent.testkit.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands of the operating system. */
final class SystemCommand {

  private static final int TIMEOUT_SECONDS = 20;

  private SystemCommand() {}

  /** Runs to the end and returns what was printed; fails unless the exit code is 0. */
  static String run(String... words) {
    List<String> command = List.of(words);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("did not end: " + command);
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            "exit code " + process.exitValue() + ": " + command + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + command, e);
    }
  }

  /** Whether a command can be run and ends with 0. */
  static boolean succeeds(String... words) {
    try {
      run(words);
      return true;
    } catch (IllegalStateException failed) {
      return false;
    }
  }
}
