package dev.wisent.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server process that we started. Its output goes to a file; {@link #close} leaves none alive.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int LOG_TAIL_LINES = 5;

  /** The signal that asks this kind of server to stop soon. */
  public enum StopSignal {
    TERM,
    /** PostgreSQL's "fast" shutdown; on TERM it would wait for its clients to go. */
    INT
  }

  private final Process process;
  private final Path log;
  private final StopSignal stopSignal;
  private final Thread shutdownHook;

  private ChildProcess(Process process, Path log, StopSignal stopSignal) {
    this.process = process;
    this.log = log;
    this.stopSignal = stopSignal;
    this.shutdownHook = new Thread(this::stop, "stop-" + process.pid());
  }

  public static ChildProcess start(List<String> command, Path directory, StopSignal stopSignal)
      throws IOException {
    Path log = directory.resolve("server.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    ChildProcess child = new ChildProcess(builder.start(), log, stopSignal);
    Runtime.getRuntime().addShutdownHook(child.shutdownHook);
    return child;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** How the process ended and its last words. */
  public String obituary() {
    String state = alive() ? "is running" : "ended with code " + process.exitValue();
    return "process " + state + "; last output: " + String.join(" / ", logTail());
  }

  private List<String> logTail() {
    try {
      // A server may die while writing; take the bytes as they are.
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size());
    } catch (IOException e) {
      return List.of("no log: " + e.getMessage());
    }
  }

  /** SIGKILL, and wait until it is gone. */
  public void kill() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> await(each, GRACE));
    close();
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // Then the hook runs anyway and finds nothing left to stop.
    }
  }

  private synchronized void stop() {
    // Take the descendants first: a launcher script that dies early would orphan its server.
    List<ProcessHandle> descendants = process.descendants().toList();
    signal();
    await(process.toHandle(), GRACE);
    forceToEnd(process.toHandle());
    descendants.forEach(ProcessHandle::destroy);
    descendants.forEach(descendant -> await(descendant, GRACE));
    descendants.forEach(ChildProcess::forceToEnd);
  }

  private void signal() {
    switch (stopSignal) {
      case TERM -> process.destroy();
      case INT -> {
        try {
          new ProcessBuilder("kill", "-INT", Long.toString(pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor(1, TimeUnit.SECONDS);
        } catch (IOException e) {
          process.destroy();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** A child that ignores the signal to stop, as one of a shell's background jobs does INT. */
  private static void forceToEnd(ProcessHandle handle) {
    handle.destroyForcibly();
    await(handle, GRACE);
  }

  private static void await(ProcessHandle handle, Duration timeout) {
    try {
      handle.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The caller kills what has not ended by now.
    }
  }
}
