package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.NodeScript;
import dev.wisent.testkit.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A directory in which the commands of a page run as they are written: with {@code ./wisent} and
 * with {@code mongosh} on the path. Only the ports are others. Closing it ends the servers.
 */
final class PageShell implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int DEFAULT_PORT = 27017;
  private static final Pattern PORT = Pattern.compile("\\b270(17|18|19)\\b");
  private static final Pattern FORKED = Pattern.compile("forked process: (\\d+)");
  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx256m",
          "-cp",
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
          "dev.wisent.cli.WisentMain");

  private final Path directory;
  private final Map<Integer, Integer> ports = new LinkedHashMap<>();
  private final List<ProcessHandle> servers = new ArrayList<>();
  private final Thread orphanGuard = new Thread(this::endServers, "page-shell-guard");

  private PageShell(Path directory) {
    this.directory = directory;
    Runtime.getRuntime().addShutdownHook(orphanGuard);
  }

  /** With the shell of MongoDB, or skips the test. */
  static PageShell open(Path directory) throws IOException {
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", ClientProgram.MONGOSH_VERSION);
    var shell = openWithoutMongosh(directory);
    List<String> mongosh = packages.mongosh(modules, directory).command();
    shell.program(Files.createDirectories(directory.resolve("bin")).resolve("mongosh"), mongosh);
    return shell;
  }

  static PageShell openWithoutMongosh(Path directory) throws IOException {
    var shell = new PageShell(directory);
    shell.program(directory.resolve("wisent"), JAVA);
    return shell;
  }

  private void program(Path file, List<String> command) throws IOException {
    String words = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    Files.writeString(file, "#!/bin/sh\nexec " + words + " \"$@\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** The port that is there in the place of the one on the page. */
  int port(int onPage) {
    return ports.computeIfAbsent(onPage, absent -> FreePort.find());
  }

  int defaultPort() {
    return port(DEFAULT_PORT);
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  private String withPorts(String command) {
    String named =
        command
            .replace("localhost/", "localhost:" + DEFAULT_PORT + "/")
            .replaceFirst("^mongosh (?=--eval)", "mongosh --port " + DEFAULT_PORT + " ");
    return PORT.matcher(named)
        .replaceAll(match -> Integer.toString(port(Integer.parseInt(match.group()))));
  }

  /** Runs a command, which may leave a server behind. */
  ScriptResult run(String command) {
    ScriptResult result =
        new NodeScript(
                List.of("bash", "-c", "cd '" + directory + "' && " + withPorts(command)),
                Map.of(
                    "PATH",
                    directory.resolve("bin") + ":" + System.getenv("PATH"),
                    "HOME",
                    directory.toString()),
                "")
            .run(PATIENCE);
    Matcher forked = FORKED.matcher(result.stdout());
    while (forked.find()) {
      ProcessHandle.of(Long.parseLong(forked.group(1))).ifPresent(servers::add);
    }
    return result;
  }

  /**
   * Starts a server of the page in a process of its own, where the page leaves it at the terminal.
   */
  void start(String command) {
    String all = command + " --port " + DEFAULT_PORT + " --dbpath data --fork --logpath server.log";
    ScriptResult result = run(all);
    assertThat(result.exitCode()).as(result::text).isZero();
  }

  private void endServers() {
    servers.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    endServers();
    for (ProcessHandle server : servers) {
      Eventually.holds("a server has ended", PATIENCE, () -> !server.isAlive());
    }
    Runtime.getRuntime().removeShutdownHook(orphanGuard);
  }
}
