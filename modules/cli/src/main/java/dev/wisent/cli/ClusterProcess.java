package dev.wisent.cli;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/** A server or router of a local cluster, in a child process. */
final class ClusterProcess {
  private static final int STOP_SECONDS_MAX = 60;

  /** Initiating a set waits for its members. */
  private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(1);

  /** What this machine's users call it; the same for all members, so drivers and members agree. */
  private static final String HOST = "localhost";

  private static final int HEAP_MEGABYTES_MIN = 256;

  private final Program program;
  private final int port;
  private final Path log;
  private final List<String> flags;
  private final Process process;
  private final MemberConnections members;

  /** Why it did not answer the last time; empty if it did. */
  private String failure = "";

  private ClusterProcess(
      Program program,
      int port,
      Path log,
      List<String> flags,
      Process process,
      MemberConnections members) {
    this.program = program;
    this.port = port;
    this.log = log;
    this.flags = flags;
    this.process = process;
    this.members = members;
  }

  /**
   * Starts a process.
   *
   * @param directory for its log, and its data if it has any
   * @param own flags beside port and log
   * @param share how many processes share this machine's memory
   * @param members how it is called
   */
  static ClusterProcess start(
      Program program,
      Path directory,
      int port,
      List<String> own,
      int share,
      MemberConnections members)
      throws IOException {
    Files.createDirectories(directory);
    Path log = directory.resolve("server.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags(share));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WisentMain.class.getName(), program.command()));
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("--port", Integer.toString(port)));
    flags.addAll(own);
    flags.addAll(List.of("--logpath", log.toString(), "--logappend"));
    command.addAll(flags);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output.log").toFile())
            .start();
    return new ClusterProcess(program, port, log, flags, process, members);
  }

  /** This JVM's own flags, but the processes share its memory. */
  private static List<String> jvmFlags(int share) {
    List<String> flags = new ArrayList<>();
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-Xm") && !flag.startsWith("-agentlib:")) {
        flags.add(flag);
      }
    }
    long megabytes = Runtime.getRuntime().maxMemory() / share / (1 << 20);
    flags.add("-Xmx" + Math.max(HEAP_MEGABYTES_MIN, megabytes) + "m");
    return flags;
  }

  /** As in the configurations of sets. */
  String address() {
    return HOST + ":" + port;
  }

  /** What a person types to start it again, with the launcher that this process came by. */
  String restartCommand() {
    String launcher = System.getProperty("wisent.launcher", "./wisent");
    return shownFlags().stream()
        .map(flag -> flag.matches("[\\w./=:-]+") ? flag : "'" + flag.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" ", launcher + " " + program.command() + " ", ""));
  }

  private List<String> shownFlags() {
    List<String> shown = new ArrayList<>(flags);
    for (int i = 1; i < shown.size(); i++) {
      if (ServerFlag.isSecret(shown.get(i - 1))) {
        shown.set(i, "PASSWORD");
      }
    }
    return shown;
  }

  Path log() {
    return log;
  }

  /** Sends a command to its database {@code admin} and returns the reply, whatever it says. */
  BsonDocument call(Consumer<BsonBuilder> command) throws IOException {
    return call("admin", command);
  }

  /** Sends a command to a database and returns the reply, whatever it says. */
  BsonDocument call(String database, Consumer<BsonBuilder> command) throws IOException {
    var body = new BsonBuilder();
    command.accept(body);
    BackgroundLoops loops = BackgroundLoops.silent();
    try (var client = new PooledNodeClient(members.options("cluster"), loops.clock(), loops)) {
      return client
          .call(
              new HostAndPort(HOST, port),
              NodeRequest.of(database, body.toDocument(), REPLY_TIMEOUT))
          .join()
          .toBsonDocument();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** The reply to a command without arguments; empty as long as it does not answer. */
  Optional<BsonDocument> answer(String command) {
    try {
      Optional<BsonDocument> answer = Optional.of(call(body -> body.appendInt32(command, 1)));
      failure = "";
      return answer;
    } catch (IOException notYet) {
      failure = address() + ": " + notYet.getMessage();
      return Optional.empty();
    }
  }

  /** Why it did not answer the last time; empty if it did. */
  String failure() {
    return failure;
  }

  boolean alive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Asks it to stop and returns at once. */
  void requestStop() {
    process.destroy();
  }

  /** Waits for its end, and insists if that takes too long. */
  void awaitEnd() {
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
