package dev.wisent.bench.target;

import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.process.ChildProcess;
import dev.wisent.bench.process.LoopbackPort;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.MongoStore;
import dev.wisent.bench.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server speaking MongoDB's protocol that runs as a child process on a free loopback port. */
final class MongoProcessTarget implements Target {
  /** Generous, because a launcher may build its server first. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  /**
   * How to run one kind of server.
   *
   * @param durable whether it keeps documents on disk at all
   */
  record Spec(String name, String product, boolean durable, CommandLine commandLine) {}

  /** Builds the command for a port and a data directory. */
  interface CommandLine {
    List<String> command(int port, Path dataDirectory);
  }

  private final Spec spec;
  private final Path directory;
  private final Path dataDirectory;

  private InetSocketAddress address;
  private ServerProcess process;
  private MongoStore store;

  MongoProcessTarget(Spec spec, Path directory) {
    this.spec = spec;
    this.directory = directory;
    this.dataDirectory = directory.resolve("data");
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public void start() throws Exception {
    Files.createDirectories(dataDirectory);
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), LoopbackPort.free());
    List<String> command = spec.commandLine().command(address.getPort(), dataDirectory);
    process = ServerProcess.start(command, directory, ChildProcess.StopSignal.TERM);
    process.awaitAnswer(START_TIMEOUT, this::hello);
    store = new MongoStore("mongodb://127.0.0.1:" + address.getPort() + "/?directConnection=true");
  }

  private boolean hello() throws IOException {
    try (WireConnection connection = WireConnection.open(address)) {
      connection.hello();
      return true;
    }
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Meter meter() {
    return new Meter(
        process.tree(), spec.durable() ? Optional.of(dataDirectory) : Optional.empty());
  }

  @Override
  public String description() {
    return "%s (reports version %s), ready %d ms after start"
        .formatted(spec.product(), store.version(), process.startMillis());
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return spec.durable()
        ? DurabilityLabels.mongo(durability)
        : DurabilityLabels.memory(durability);
  }

  @Override
  public Optional<InetSocketAddress> wireAddress() {
    return Optional.of(address);
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
