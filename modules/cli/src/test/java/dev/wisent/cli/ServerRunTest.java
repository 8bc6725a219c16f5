package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process as the shell sees it: output, signals, exit codes. */
class ServerRunTest {
  private static final Pattern READY =
      Pattern.compile("\"Waiting for connections\",\"attr\":\\{\"port\":(\\d+)");
  private static final long DEADLINE_SECONDS = 60;

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stopWhatIsLeft() {
    processes.forEach(Process::destroyForcibly);
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** Starts a server whose output goes to the file {@code name}. */
  private Process launch(String name, String... flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(WisentMain.class.getName(), "server"));
    command.addAll(List.of(flags));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(file(name).toFile())
            .start();
    processes.add(process);
    return process;
  }

  private static int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).as("ends in time").isTrue();
    return process.exitValue();
  }

  /** Waits until a text in a file matches, and returns the match. */
  private Matcher await(Path file, Pattern pattern, Process process) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (true) {
      boolean ended = !process.isAlive();
      String text = textOf(file);
      Matcher matcher = pattern.matcher(text);
      if (matcher.find()) {
        return matcher;
      }
      assertThat(ended || System.nanoTime() > deadline).as("no %s in: %s", pattern, text).isFalse();
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
  }

  /** Nothing, too, for a moment in which its writer renames the file. */
  private static String textOf(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private String dbpath() {
    return "--dbpath=" + file("data");
  }

  @Test
  void servesUntilItIsToldToStop() throws Exception {
    Process server =
        launch("out", dbpath(), "--port=0", "--pidfilepath=" + file("pid"), "--bind_ip=127.0.0.1");
    int port = Integer.parseInt(await(file("out"), READY, server).group(1));
    await(file("pid"), Pattern.compile("(?m)^" + server.pid() + "$"), server);
    new Socket(InetAddress.getLoopbackAddress(), port).close();

    server.destroy();

    assertThat(exitCode(server)).isEqualTo(0);
    assertThat(file("pid")).doesNotExist();
    assertThat(Files.readAllLines(file("out"))).allMatch(line -> line.startsWith("{\"t\":"));
    Process again = launch("out2", dbpath(), "--port=0");
    await(file("out2"), READY, again);
    signal("INT", again);
    assertThat(exitCode(again)).isEqualTo(0);
  }

  @Test
  void tellsAPersonWhatItIsAndWhatItRecovered() throws Exception {
    Process killed = launch("out", dbpath(), "--port=0");
    await(file("out"), READY, killed);
    killed.destroyForcibly().waitFor();

    Process server = launch("out2", dbpath(), "--port=0", "--logFormat=text");

    Matcher banner =
        await(
            file("out2"),
            Pattern.compile(
                "Wisent \\S+, compatible with MongoDB \\S+, process (\\d+)\\n"
                    + "  data     (\\S+) \\(recovered \\d+ changes after a crash\\)\\n"
                    + "  connect  mongosh \"mongodb://localhost:\\d+/\"\\n"),
            server);
    assertThat(banner.group(1)).isEqualTo(Long.toString(server.pid()));
    assertThat(banner.group(2)).isEqualTo(file("data").toString());
    assertThat(textOf(file("out2"))).contains("INFO  NETWORK  main: Waiting for connections");
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Process server = launch("out", dbpath(), "--port=" + taken.getLocalPort());

      assertThat(exitCode(server)).isEqualTo(48);
      assertThat(Files.readString(file("out")))
          .contains("wisent server: cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("--port")
          .doesNotContain("Exception");
    }
  }

  @Test
  void saysThatTheDataIsInUse() throws Exception {
    Process first = launch("out", dbpath(), "--port=0", "--pidfilepath=" + file("pid"));
    await(file("out"), READY, first);
    await(file("pid"), Pattern.compile("\\d+"), first);

    Process second = launch("out2", dbpath(), "--port=0", "--pidfilepath=" + file("pid"));

    assertThat(exitCode(second)).isEqualTo(100);
    assertThat(Files.readString(file("out2"))).contains("in use").doesNotContain("stackTrace");
    assertThat(file("pid")).as("of the first server").exists();
  }

  @Test
  void refusesAParameterThatDoesNotExist() throws Exception {
    Process server = launch("out", dbpath(), "--port=0", "--setParameter", "nosuch=1");

    assertThat(exitCode(server)).isEqualTo(2);
    assertThat(Files.readString(file("out"))).contains("nosuch");
  }

  @Test
  void rotatesItsLogFile() throws Exception {
    Process server = launch("out", dbpath(), "--port=0", "--logpath=" + file("log"));
    await(file("log"), READY, server);

    signal("USR1", server);

    await(file("log"), Pattern.compile("Log rotated"), server);
    assertThat(Files.readString(file("log"))).doesNotContain("Waiting for connections");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(f -> f.getFileName().toString().startsWith("log."))).hasSize(1);
    }
    assertThat(file("out")).isEmptyFile();
    server.destroy();
    assertThat(exitCode(server)).isEqualTo(0);
  }

  @Test
  void startsFromThePackagedFileInAProcessOfItsOwn() throws Exception {
    Files.writeString(
        file("mongod.conf"),
        """
        storage:
          dbPath: %s
        systemLog:
          destination: file
          logAppend: true
          path: %s
        net:
          port: 0
          bindIp: 127.0.0.1
        processManagement:
          fork: true
          pidFilePath: %s
          timeZoneInfo: /usr/share/zoneinfo
        """
            .formatted(file("data"), file("log"), file("pid")));

    Process parent = launch("out", "--config", file("mongod.conf").toString());

    assertThat(exitCode(parent)).as(textOf(file("out"))).isEqualTo(0);
    Matcher forked =
        await(
            file("out"),
            Pattern.compile(
                "about to fork child process, waiting until server is ready for connections.\\n"
                    + "forked process: (\\d+)\\n"
                    + "child process started successfully, parent exiting\\n"),
            parent);
    ProcessHandle child = ProcessHandle.of(Long.parseLong(forked.group(1))).orElseThrow();
    try {
      assertThat(Files.readString(file("pid"))).isEqualTo(child.pid() + "\n");
      int port = Integer.parseInt(await(file("log"), READY, parent).group(1));
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      assertThat(Files.readString(file("log")))
          .contains("Option has no effect", "processManagement.timeZoneInfo");
    } finally {
      child.destroy();
    }
    child.onExit().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertThat(file("pid")).doesNotExist();
    assertThat(Files.readString(file("log"))).contains("\"exitCode\":0");
  }

  @Test
  void saysThatTheForkedProcessFailed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Process parent =
          launch(
              "out",
              dbpath(),
              "--port=" + taken.getLocalPort(),
              "--fork",
              "--logpath=" + file("log"));

      assertThat(exitCode(parent)).isEqualTo(48);
      assertThat(Files.readString(file("out"))).contains("child process failed, exited with 48");
      assertThat(Files.readString(file("log"))).contains("cannot listen on 127.0.0.1");
    }
  }
}
