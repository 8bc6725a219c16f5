package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.ServerVersion;
import dev.wisent.tools.Tools;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;

/** Runs a tool in this process. The first signal asks it to end, the second ends it. */
final class ToolRun {
  private static final int COLUMNS_DEFAULT = 80;
  private static final List<String> SIGNALS = List.of("INT", "TERM");

  private final Tools tool;
  private final PrintStream out;
  private final PrintStream err;
  private final Clock clock;
  private final boolean terminal;

  /**
   * @param terminal whether {@code err} is one
   */
  ToolRun(Tools tool, PrintStream out, PrintStream err, Clock clock, boolean terminal) {
    this.tool = tool;
    this.out = out;
    this.err = err;
    this.clock = clock;
    this.terminal = terminal;
  }

  ExitCode run(List<String> flags) {
    var interruption = new Interruption();
    for (String signal : SIGNALS) {
      Signals.handle(
          signal,
          number -> {
            if (interruption.isRequested()) {
              Runtime.getRuntime().halt(ExitCode.FAILED.number());
            }
            interruption.request();
          });
    }
    try {
      tool.run(
          flags,
          new Surroundings(
              System.in,
              out,
              err,
              terminal,
              columns(),
              clock,
              BackgroundLoops.silent().scheduler(),
              interruption,
              canAsk() ? ToolRun::password : null,
              ServerVersion.WISENT));
      return ExitCode.CLEAN;
    } catch (ToolException e) {
      err.println("wisent " + tool.command() + ": " + e.getMessage());
      if (e.isOfOptions()) {
        err.println("Try 'wisent " + tool.command() + " --help' for the flags.");
      }
      return e.isOfOptions() ? ExitCode.BAD_OPTIONS : ExitCode.FAILED;
    } finally {
      out.flush();
    }
  }

  private static int columns() {
    String columns = System.getenv("COLUMNS");
    return columns != null && columns.matches("[1-9]\\d{1,3}")
        ? Integer.parseInt(columns)
        : COLUMNS_DEFAULT;
  }

  private static boolean canAsk() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static char[] password() {
    return System.console().readPassword("Password: ");
  }
}
