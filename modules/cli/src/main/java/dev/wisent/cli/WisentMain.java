package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.cli.advise.AdviseException;
import dev.wisent.cli.advise.AdviseRun;
import dev.wisent.cli.advise.AdviseSettings;
import dev.wisent.cli.manual.Command;
import dev.wisent.cli.manual.HelpEntry;
import dev.wisent.cli.manual.HelpText;
import dev.wisent.cli.manual.Manual;
import dev.wisent.server.ServerVersion;
import dev.wisent.tools.Tools;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Entry point of the {@code wisent} command. */
public final class WisentMain {
  private static final String USAGE_BEFORE_TOOLS =
      """
      Usage: wisent COMMAND [FLAGS]

      Commands:
        server     run a data-bearing node, as mongod does
        router     run a router of a sharded cluster, as mongos does
        cluster    run a whole local cluster, for trying things out
      """;

  private static final String USAGE_AFTER_TOOLS =
      """
        advise     try shard keys on a sample of a collection and its queries
        simulate   try the balancer on a simulated cluster
        bench      compare speed with other databases; in a checkout of the sources
        version    show the version
        help       show this text

      Flags of a command: wisent COMMAND --help
      """;

  private final PrintStream out;
  private final PrintStream err;

  WisentMain(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    System.exit(new WisentMain(System.out, System.err).run(List.of(args)).number());
  }

  ExitCode run(List<String> args) {
    String command = args.isEmpty() ? "help" : args.getFirst();
    return switch (command) {
      case "server" -> run(Program.SERVER, args.subList(1, args.size()));
      case "router" -> run(Program.ROUTER, args.subList(1, args.size()));
      case "cluster" -> cluster(args.subList(1, args.size()));
      case "advise" -> advise(args.subList(1, args.size()));
      case "simulate" -> simulate(args.subList(1, args.size()));
      case "train" -> train(args.subList(1, args.size()));
      case "manual" -> manual(args.subList(1, args.size()));
      case "version", "--version" -> printVersion();
      case "help", "--help", "-h" -> {
        out.print(usage());
        yield ExitCode.CLEAN;
      }
      default -> {
        Optional<Tools> tool = Tools.find(command);
        if (tool.isPresent()) {
          yield tool(tool.get(), args.subList(1, args.size()));
        }
        err.println("wisent: unknown command '" + command + "'");
        err.print(usage());
        yield ExitCode.BAD_OPTIONS;
      }
    };
  }

  private static String usage() {
    var text = new StringBuilder(USAGE_BEFORE_TOOLS);
    for (Tools tool : Tools.values()) {
      text.append("  %-10s %s%n".formatted(tool.command(), tool.purpose()));
    }
    return text.append(USAGE_AFTER_TOOLS).toString();
  }

  private ExitCode tool(Tools tool, List<String> flags) {
    if (flags.contains("--help")) {
      out.print(tool.help());
      return ExitCode.CLEAN;
    }
    if (flags.contains("--version")) {
      return printVersion();
    }
    return new ToolRun(tool, out, err, Clock.system(), isErrTerminal()).run(flags);
  }

  private ExitCode run(Program program, List<String> flags) {
    // Anywhere on the line, as with mongod: who asks for help may have made a mistake elsewhere.
    if (flags.contains("--help") || flags.contains("-h")) {
      out.print(ServerFlag.usage(program));
      return ExitCode.CLEAN;
    }
    if (flags.contains("--version")) {
      return printVersion();
    }
    try {
      ServerSettings settings = ServerCommand.parse(program, flags);
      switch (settings.fork()) {
        case NONE -> new ServerRun(settings, out, isTerminal()).run(server -> {});
        case PARENT -> new ServerFork(settings, out).run();
        case CHILD -> new ServerRun(settings, out, false).run(server -> ServerFork.ready(out));
      }
      return ExitCode.CLEAN;
    } catch (StartException e) {
      String command = "wisent " + program.command();
      err.println(command + ": " + e.getMessage());
      if (e.exitCode() == ExitCode.BAD_OPTIONS) {
        err.println("Try '" + command + " --help' for the flags.");
      }
      return e.exitCode();
    }
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Of standard error alone: input and output of tools are often files. */
  private static boolean isErrTerminal() {
    try {
      String device = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return device.startsWith("/dev/pts/")
          || device.startsWith("/dev/tty")
          || device.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return isTerminal(); // not Linux
    }
  }

  private ExitCode cluster(List<String> flags) {
    if (flags.contains("--help") || flags.contains("-h")) {
      out.print(ClusterSettings.USAGE);
      return ExitCode.CLEAN;
    }
    try {
      new ClusterRun(ClusterSettings.parse(flags), out).run();
      return ExitCode.CLEAN;
    } catch (StartException e) {
      err.println("wisent cluster: " + e.getMessage());
      return e.exitCode();
    }
  }

  private ExitCode advise(List<String> flags) {
    if (flags.contains("--help") || flags.contains("-h")) {
      out.print(AdviseSettings.USAGE);
      return ExitCode.CLEAN;
    }
    try {
      new AdviseRun(AdviseSettings.parse(flags), out, RandomSource.system()).run();
      return ExitCode.CLEAN;
    } catch (AdviseException e) {
      err.println("wisent advise: " + e.getMessage());
      return e.isOfOptions() ? ExitCode.BAD_OPTIONS : ExitCode.ABRUPT;
    }
  }

  private ExitCode simulate(List<String> flags) {
    if (flags.contains("--help") || flags.contains("-h")) {
      out.print(SimulateCommand.USAGE);
      return ExitCode.CLEAN;
    }
    try {
      new SimulateCommand(out, Clock.system()).run(flags);
      return ExitCode.CLEAN;
    } catch (StartException e) {
      err.println("wisent simulate: " + e.getMessage());
      return e.exitCode();
    }
  }

  /** For the launcher, not for people, and so not in the usage. */
  private ExitCode train(List<String> args) {
    if (args.size() != 1) {
      err.println("Usage: wisent train DIRECTORY");
      return ExitCode.BAD_OPTIONS;
    }
    try {
      new TrainingRun().run(Path.of(args.getFirst()));
      return ExitCode.CLEAN;
    } catch (StartException e) {
      err.println("wisent train: " + e.getMessage());
      return e.exitCode();
    }
  }

  /** For the build of a distribution, and so not in the usage either. */
  private ExitCode manual(List<String> args) {
    if (args.size() != 2) {
      err.println("Usage: wisent manual DIRECTORY DATE");
      return ExitCode.BAD_OPTIONS;
    }
    try {
      new Manual(HelpText.parse(usage()), commands())
          .write(Path.of(args.getFirst()), ServerVersion.WISENT, args.getLast());
      return ExitCode.CLEAN;
    } catch (IOException e) {
      err.println("wisent manual: " + e);
      return ExitCode.FAILED;
    }
  }

  /** Those that have a help of their own. */
  static List<Command> commands() {
    List<Command> commands = new ArrayList<>();
    for (HelpEntry entry : HelpText.parse(usage()).sections().getFirst().entries()) {
      String name = entry.value();
      help(name)
          .ifPresent(text -> commands.add(new Command(name, entry.help(), HelpText.parse(text))));
    }
    return commands;
  }

  private static Optional<String> help(String command) {
    return switch (command) {
      case "server" -> Optional.of(ServerFlag.usage(Program.SERVER));
      case "router" -> Optional.of(ServerFlag.usage(Program.ROUTER));
      case "cluster" -> Optional.of(ClusterSettings.USAGE);
      case "advise" -> Optional.of(AdviseSettings.USAGE);
      case "simulate" -> Optional.of(SimulateCommand.USAGE);
      default -> Tools.find(command).map(Tools::help);
    };
  }

  private ExitCode printVersion() {
    out.println("wisent " + ServerVersion.WISENT);
    out.println("Compatible with MongoDB " + ServerVersion.COMPATIBLE_WITH);
    out.println("Java " + Runtime.version());
    return ExitCode.CLEAN;
  }
}
