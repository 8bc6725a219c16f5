package dev.wisent.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JavaScript program to run as a process of its own; see {@link NodePackages} for making one.
 *
 * @param command program and arguments
 * @param environment variables set in addition to the inherited ones
 * @param stdin what the program reads from its standard input
 */
public record NodeScript(List<String> command, Map<String, String> environment, String stdin) {

  public NodeScript {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  static NodeScript of(List<String> command) {
    return new NodeScript(command, Map.of(), "");
  }

  public NodeScript withEnvironment(Map<String, String> variables) {
    return new NodeScript(command, variables, stdin);
  }

  public NodeScript withStdin(String input) {
    return new NodeScript(command, environment, input);
  }

  /** Runs to the end; fails, with what was printed so far, when that takes too long. */
  public ScriptResult run(Duration timeout) {
    try {
      Path scratch = Files.createTempDirectory("wisent-script-");
      try {
        return runIn(scratch, timeout);
      } finally {
        DirectoryTree.delete(scratch);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command, e);
    }
  }

  private ScriptResult runIn(Path scratch, Duration timeout) throws IOException {
    // Files rather than pipes: nothing has to drain them while waiting with a time-out.
    Path in = Files.writeString(scratch.resolve("stdin"), stdin);
    Path out = scratch.resolve("stdout");
    Path err = scratch.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean finished = waitFor(process, timeout);
    int exitCode = finished ? process.exitValue() : -1;
    ScriptResult result = new ScriptResult(exitCode, read(out), read(err));
    if (!finished) {
      throw new AssertionError(
          "not finished within " + timeout.toSeconds() + " s: " + command + "\n" + result.text());
    }
    return result;
  }

  private static boolean waitFor(Process process, Duration timeout) {
    try {
      return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
