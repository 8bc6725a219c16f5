package dev.wisent.testkit;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * A server in its own JVM, started from the class path and the JDK of the running test.
 *
 * <p>{@link #kill()} takes its power away, {@link #terminate()} asks it to stop; a new process with
 * the same {@link ProcessOptions} continues on the same data.
 */
public final class ServerProcess implements TestServer {

  static final String MAIN_CLASS = "dev.wisent.cli.WisentMain";

  /** Longer than an orderly end may take on a busy machine; only a server that hangs needs it. */
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(90);

  private final ProcessOptions options;
  private final Process process;
  private final LogTail log;
  private final Thread orphanGuard;

  private ServerProcess(ProcessOptions options, Process process) {
    this.options = options;
    this.process = process;
    this.log = new LogTail(options.logFile());
    // A test JVM that is itself stopped half-way must not leave a server behind.
    this.orphanGuard = new Thread(process::destroyForcibly, "server-process-guard");
    Runtime.getRuntime().addShutdownHook(orphanGuard);
  }

  /** Starts a server and returns once it answers a ping. */
  public static ServerProcess start(ProcessOptions options) {
    ServerProcess server = launch(options);
    try {
      server.awaitReady();
    } catch (AssertionError | RuntimeException e) {
      server.kill();
      throw e;
    }
    return server;
  }

  /** Starts a server and returns at once, before it accepts connections. */
  public static ServerProcess launch(ProcessOptions options) {
    try {
      Files.createDirectories(options.dbpath());
      Files.createDirectories(options.logFile().toAbsolutePath().getParent());
      Process process =
          new ProcessBuilder(command(options))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(options.logFile().toFile()))
              .start();
      return new ServerProcess(options, process);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a server process", e);
    }
  }

  /** Waits until the server answers a ping; fails, with the end of its log, when it does not. */
  public void awaitReady() {
    Deadline deadline = Deadline.after(options.startTimeout());
    try {
      Eventually.holds(
          "server accepts connections on port " + options.port(),
          options.startTimeout(),
          () -> {
            requireAlive();
            return acceptsConnections();
          });
      ping(deadline);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + log.describe(), e);
    }
  }

  @Override
  public String uri() {
    return "mongodb://" + options.host().address() + ":" + options.port() + "/";
  }

  public ProcessOptions options() {
    return options;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** SIGKILL, and wait until the process is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** SIGTERM, and wait for a clean exit. Returns the exit code. */
  public int terminate() {
    process.destroy();
    return awaitExit();
  }

  /** SIGSTOP: the process keeps its memory and its connections, and does nothing. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT: goes on where it was paused. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("cannot send SIG" + name + " to " + pid() + ": code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while sending SIG" + name, e);
    }
  }

  /** The last lines that the server wrote. */
  public String logTail() {
    return log.read();
  }

  /** Stops the server, with force when it does not react to being asked. */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    try {
      terminate();
    } finally {
      process.destroyForcibly();
    }
  }

  private int awaitExit() {
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "server " + pid() + " did not exit within " + STOP_TIMEOUT + log.describe());
      }
      releaseGuard();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw new AssertionError("interrupted while waiting for the server to exit", e);
    }
  }

  private void releaseGuard() {
    try {
      Runtime.getRuntime().removeShutdownHook(orphanGuard);
    } catch (IllegalStateException shuttingDown) {
      // The hooks are running; nothing to release.
    }
  }

  private void requireAlive() {
    if (!process.isAlive()) {
      throw new AssertionError("server exited with " + process.exitValue());
    }
  }

  private boolean acceptsConnections() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(options.host().address(), options.port()), 500);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private void ping(Deadline deadline) {
    // The driver retries its handshake by itself until the server selection time-out.
    MongoClientSettings settings =
        options
            .clients()
            .apply(MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri())))
            .applyToClusterSettings(
                b ->
                    b.serverSelectionTimeout(
                        deadline.remaining().toMillis(), TimeUnit.MILLISECONDS))
            .build();
    try (MongoClient client = MongoClients.create(settings)) {
      client.getDatabase("admin").runCommand(new Document("ping", 1));
    } catch (MongoException e) {
      throw new AssertionError("server does not answer a ping: " + e.getMessage(), e);
    }
  }

  private static List<String> command(ProcessOptions options) {
    List<String> command = new ArrayList<>(options.host().launcher());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(StartupCache.get().flags());
    command.addAll(options.jvmFlags());
    command.addAll(List.of("-cp", StartupCache.get().classPath(), MAIN_CLASS));
    command.addAll(List.of(options.program(), "--port", Integer.toString(options.port())));
    if (options.program().equals("server")) {
      command.addAll(List.of("--dbpath", options.dbpath().toString()));
    }
    command.addAll(List.of("--bind_ip", options.host().address()));
    command.addAll(options.arguments());
    return command;
  }
}
