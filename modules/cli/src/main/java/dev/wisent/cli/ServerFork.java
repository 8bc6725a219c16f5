package dev.wisent.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code --fork}: starts the server in a process of its own and returns when it serves. A JVM
 * cannot be forked, so the process is a new one with the same flags; it tells that it serves by a
 * line on its standard output, which nothing else uses.
 */
final class ServerFork {
  private static final String READY = "ready";

  /** Gives the process a session of its own, so that it outlives the terminal. */
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private final ServerSettings settings;
  private final PrintStream out;

  ServerFork(ServerSettings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** For the process that was started: tells that it serves. */
  static void ready(PrintStream out) {
    out.println(READY);
    out.flush();
  }

  void run() throws StartException {
    out.println("about to fork child process, waiting until server is ready for connections.");
    Process process = start();
    out.println("forked process: " + process.pid());
    out.flush();
    if (!isReady(process)) {
      int code = exitCode(process);
      throw new StartException(
          ExitCode.of(code),
          "child process failed, exited with "
              + code
              + "; its log is "
              + settings.log().path().orElseThrow()
              + ". To see additional information in this output, start without the --fork option.");
    }
    out.println("child process started successfully, parent exiting");
    out.flush();
  }

  private Process start() throws StartException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      command.add(SETSID.toString());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WisentMain.class.getName(), settings.program().command()));
    command.addAll(settings.arguments());
    command.add(ServerFlag.FORKED.displayName());
    try {
      return new ProcessBuilder(command)
          .redirectInput(new File("/dev/null"))
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new StartException(ExitCode.ABRUPT, "cannot fork: " + e.getMessage(), e);
    }
  }

  /** Waits for the line, or for the end of the process. */
  private static boolean isReady(Process process) throws StartException {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        if (line.equals(READY)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new StartException(ExitCode.ABRUPT, "cannot hear from the child process: " + e, e);
    }
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.ABRUPT.number();
    }
  }
}
