package dev.wisent.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A tool, such as {@code wisent dump}, in its own JVM. All that it says goes to a file. */
public final class ToolProcess implements AutoCloseable {
  private static final List<String> JVM_FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx384m");

  private static final Duration KILLED_PATIENCE = Duration.ofSeconds(60);

  private final String command;
  private final Process process;
  private final Path log;

  private ToolProcess(String command, Process process, Path log) {
    this.command = command;
    this.process = process;
    this.log = log;
  }

  /** What starts a tool, for programs that start it themselves. */
  public static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(StartupCache.get().flags());
    command.addAll(JVM_FLAGS);
    command.addAll(List.of("-cp", StartupCache.get().classPath(), ServerProcess.MAIN_CLASS));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Starts a tool.
   *
   * @param log a new file for its output
   */
  public static ToolProcess start(Path log, String... arguments) {
    try {
      Process process =
          new ProcessBuilder(command(arguments))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(log.toFile())
              .start();
      return new ToolProcess(String.join(" ", arguments), process, log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + String.join(" ", arguments), e);
    }
  }

  /** Waits for the end, and fails unless the exit code is 0. */
  public String succeed(Duration patience) {
    int code = await(patience);
    if (code != 0) {
      throw new AssertionError("%s has ended with %d:%n%s".formatted(command, code, messages()));
    }
    return messages();
  }

  /** Waits for the end. Returns the exit code. */
  public int await(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "%s has not ended within %s:%n%s".formatted(command, patience, messages()));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + command, e);
    }
  }

  public boolean running() {
    return process.isAlive();
  }

  /** SIGTERM, which tools take as Ctrl-C. */
  public void interrupt() {
    process.destroy();
  }

  /** SIGKILL, and waits until the process is gone. */
  public void kill() {
    process.destroyForcibly();
    await(KILLED_PATIENCE);
  }

  /** What it has said up to now. */
  public String messages() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  /** Waits until it has said something; fails if it has ended without. */
  public void awaitMessage(String text, Duration patience) {
    Eventually.holds(
        "'" + text + "' of " + command + new LogTail(log).describe(),
        patience,
        () -> {
          boolean alive = running();
          boolean said = messages().contains(text);
          if (!alive && !said) {
            throw new AssertionError(
                "%s has ended without '%s':%n%s".formatted(command, text, messages()));
          }
          return said;
        });
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
