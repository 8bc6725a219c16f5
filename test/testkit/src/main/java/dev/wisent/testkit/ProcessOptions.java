package dev.wisent.testkit;

import com.mongodb.MongoClientSettings;
import dev.wisent.testkit.network.MemberHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * How a {@link ServerProcess} is started.
 *
 * @param program {@code server}, or {@code router}, which has no data
 * @param dbpath data directory; it survives the process, so a second start finds the data
 * @param logFile where standard output and standard error go; appended to over restarts
 * @param host the machine to run on, and the address to listen on
 * @param port the port to listen on
 * @param arguments further command-line arguments
 * @param jvmFlags flags of the server's JVM
 * @param startTimeout how long the server may take until it answers a ping
 * @param clients what the testkit's own connections to it need, such as encryption
 */
public record ProcessOptions(
    String program,
    Path dbpath,
    Path logFile,
    MemberHost host,
    int port,
    List<String> arguments,
    List<String> jvmFlags,
    Duration startTimeout,
    UnaryOperator<MongoClientSettings.Builder> clients) {

  private static final List<String> DEFAULT_JVM_FLAGS =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  public ProcessOptions {
    Objects.requireNonNull(dbpath, "dbpath");
    Objects.requireNonNull(logFile, "logFile");
    arguments = List.copyOf(arguments);
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** A free port, data in {@code directory/data} and the log in {@code directory/server.log}. */
  public static ProcessOptions in(Path directory) {
    return new ProcessOptions(
        "server",
        directory.resolve("data"),
        directory.resolve("server.log"),
        MemberHost.LOOPBACK,
        FreePort.find(),
        List.of(),
        DEFAULT_JVM_FLAGS,
        Duration.ofSeconds(120),
        UnaryOperator.identity());
  }

  /** A router instead of a server. */
  public ProcessOptions asRouter() {
    return new ProcessOptions(
        "router", dbpath, logFile, host, port, arguments, jvmFlags, startTimeout, clients);
  }

  /** The same on another port. */
  public ProcessOptions withPort(int number) {
    return new ProcessOptions(
        program, dbpath, logFile, host, number, arguments, jvmFlags, startTimeout, clients);
  }

  /** The same on another machine. */
  public ProcessOptions on(MemberHost machine) {
    return new ProcessOptions(
        program, dbpath, logFile, machine, port, arguments, jvmFlags, startTimeout, clients);
  }

  /** The same with further command-line arguments. */
  public ProcessOptions withArguments(String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return new ProcessOptions(
        program, dbpath, logFile, host, port, all, jvmFlags, startTimeout, clients);
  }

  /** The same with further JVM flags; a later flag wins over an earlier one. */
  public ProcessOptions withJvmFlags(String... more) {
    List<String> all = new ArrayList<>(jvmFlags);
    all.addAll(List.of(more));
    return new ProcessOptions(
        program, dbpath, logFile, host, port, arguments, all, startTimeout, clients);
  }

  /** The same with another way for the testkit to connect. */
  public ProcessOptions withClients(UnaryOperator<MongoClientSettings.Builder> settings) {
    return new ProcessOptions(
        program, dbpath, logFile, host, port, arguments, jvmFlags, startTimeout, settings);
  }
}
