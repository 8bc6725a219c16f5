package dev.wisent.bench.target;

import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.process.ChildProcess;
import dev.wisent.bench.process.LoopbackPort;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.PostgresStore;
import dev.wisent.bench.store.Store;
import dev.wisent.bench.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** PostgreSQL with JSONB, started on a free loopback port. */
final class PostgresTarget implements Target {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final int CONNECTIONS_MAX = 300;

  private final Optional<Path> binDirectory;
  private final int sharedBuffersMegabytes;
  private final Path directory;
  private final Path dataDirectory;

  private ServerProcess process;
  private PostgresStore store;

  PostgresTarget(Optional<Path> binDirectory, int sharedBuffersMegabytes, Path directory) {
    this.binDirectory = binDirectory;
    this.sharedBuffersMegabytes = sharedBuffersMegabytes;
    this.directory = directory;
    this.dataDirectory = directory.resolve("data");
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public void start() throws Exception {
    PostgresInstallation installation = PostgresInstallation.find(binDirectory);
    Files.createDirectories(dataDirectory);
    installation.initialise(dataDirectory);
    int port = LoopbackPort.free();
    process =
        ServerProcess.start(
            installation.command("postgres", arguments(port)),
            directory,
            ChildProcess.StopSignal.INT);
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    store = process.awaitAnswer(START_TIMEOUT, () -> connect(url, installation.databaseUser()));
  }

  private List<String> arguments(int port) {
    return List.of(
        "-D",
        dataDirectory.toString(),
        "-p",
        Integer.toString(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        "-c",
        "max_connections=" + CONNECTIONS_MAX,
        "-c",
        "shared_buffers=" + sharedBuffersMegabytes + "MB",
        // With synchronous_commit=off the log reaches the disk at this interval; the same as the
        // journal interval of the others.
        "-c",
        "wal_writer_delay=100ms");
  }

  private static PostgresStore connect(String url, String user) throws IOException {
    try {
      return new PostgresStore(url, user);
    } catch (StoreException notYet) {
      throw new IOException(notYet.getMessage(), notYet);
    }
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Meter meter() {
    return new Meter(process.tree(), Optional.of(dataDirectory));
  }

  @Override
  public String description() {
    return "PostgreSQL %s, JSONB, shared_buffers %d MB, ready %d ms after start"
        .formatted(store.version(), sharedBuffersMegabytes, process.startMillis());
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return DurabilityLabels.postgres(durability);
  }

  @Override
  public Optional<WireAddress> wireAddress() {
    return Optional.empty();
  }

  @Override
  public Optional<String> death() {
    return process.death();
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    if (process != null) {
      process.close();
    }
  }
}
