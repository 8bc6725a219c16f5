package dev.wisent.conformance.pages;

import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.NodeScript;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A directory in which the commands of a page run, with {@code wisent} and {@code mongosh}. */
final class ShellSession implements AutoCloseable {
  /** A {@code mongosh} that is only opened is the one that the page's other blocks go to. */
  private static final String MONGOSH =
      """
      #!/bin/bash
      case " $* " in
        *" --eval "* | *.js\\ *) exec @MONGOSH@ "$@" ;;
      esac
      """;

  private static final String NPX =
      """
      #!/bin/bash
      [[ $1 == mongosh ]] || exit 1
      exec "$@"
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(240);

  private final Path programs;
  private final Path work;
  private final Process tools;
  private final String toolsPort;

  private ShellSession(Path programs, Path work, Process tools, String toolsPort) {
    this.programs = programs;
    this.work = work;
    this.tools = tools;
    this.toolsPort = toolsPort;
  }

  static ShellSession start(NodePackages packages, Path modules, Path directory)
      throws IOException {
    Path programs = Files.createDirectories(directory.resolve("bin"));
    Path work = Files.createDirectories(directory.resolve("work"));
    List<String> java = JavaCommand.of("dev.wisent.cli.WisentMain");
    List<String> mongosh = packages.mongosh(modules, directory.resolve("home")).command();
    program(programs.resolve("wisent"), resource("wisent.sh").replace("@JAVA@", quoted(java)));
    program(programs.resolve("mongosh"), MONGOSH.replace("@MONGOSH@", quoted(mongosh)));
    program(programs.resolve("npx"), NPX);
    Process tools =
        new ProcessBuilder(JavaCommand.of(ToolHost.class.getName()))
            .directory(work.toFile())
            .redirectError(directory.resolve("tools.err").toFile())
            .start();
    var out =
        new BufferedReader(new InputStreamReader(tools.getInputStream(), StandardCharsets.UTF_8));
    return new ShellSession(programs, work, tools, out.readLine());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ShellSession.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String quoted(List<String> words) {
    return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** An empty directory for the next page. */
  void clear() throws IOException {
    try (Stream<Path> files = Files.list(work)) {
      for (Path file : files.toList()) {
        DirectoryTree.delete(file);
      }
    }
    Files.createSymbolicLink(work.resolve("wisent"), programs.resolve("wisent"));
  }

  Printed run(String code, int defaultPort) throws IOException {
    Path out = programs.resolveSibling("shell.out");
    Files.deleteIfExists(out);
    // The tools append to what the shell has printed, so it has to append as well.
    String script = "exec >> '" + out + "' 2>&1\ncd '" + work + "'\nset -eo pipefail\n" + code;
    var result =
        new NodeScript(
                List.of("bash", "-c", script),
                Map.of(
                    "PATH",
                    programs + ":" + System.getenv("PATH"),
                    "HOME",
                    programs.resolveSibling("home").toString(),
                    "WISENT_PAGE_TOOLS",
                    toolsPort,
                    "WISENT_PAGE_PORT",
                    Integer.toString(defaultPort)),
                "")
            .run(PATIENCE);
    return new Printed(Files.readString(out), result.exitCode() != 0);
  }

  Path file(String name) {
    return work.resolve(name);
  }

  /** What went wrong in the process of the tools, if anything. */
  String toolErrors() throws IOException {
    return Files.readString(work.resolveSibling("tools.err"));
  }

  /** A program of one file, with all that this build has. */
  Printed runProgram(String code) throws IOException {
    Files.writeString(work.resolve("Program.java"), code);
    return run(quoted(JavaCommand.of("Program.java")), 0);
  }

  @Override
  public void close() {
    tools.destroyForcibly();
  }
}
