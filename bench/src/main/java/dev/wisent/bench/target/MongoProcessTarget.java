package dev.wisent.bench.target;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.bench.access.Encryption;
import dev.wisent.bench.access.Login;
import dev.wisent.bench.access.MongoAccess;
import dev.wisent.bench.access.ServerCertificate;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A server speaking MongoDB's protocol that runs as a child process on a free loopback port. */
final class MongoProcessTarget implements Target {
  /** Generous, because a launcher may build its server first. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  /** Of a user of a server that lives for one run, on this machine. */
  private static final String PASSWORD = UUID.randomUUID().toString();

  /**
   * How to run one kind of server.
   *
   * @param durable whether it keeps documents on disk at all
   */
  record Spec(
      String name,
      String product,
      boolean durable,
      Protection protection,
      CommandLine commandLine) {}

  /** Builds the command for a port and a data directory. */
  interface CommandLine {
    List<String> command(int port, Path dataDirectory);
  }

  private final Spec spec;
  private final Path directory;
  private final Path dataDirectory;

  private WireAddress address;
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
    Optional<ServerCertificate> certificate =
        spec.protection().encrypts()
            ? Optional.of(ServerCertificate.create(directory))
            : Optional.empty();
    int port = LoopbackPort.free();
    address =
        new WireAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            certificate.map(own -> Encryption.trusting(own.certificate())),
            spec.protection().wantsLogins()
                ? Optional.of(new Login("bench", "admin", PASSWORD.toCharArray()))
                : Optional.empty());
    List<String> command = new ArrayList<>(spec.commandLine().command(port, dataDirectory));
    command.addAll(spec.protection().flags(certificate));
    process = ServerProcess.start(command, directory, ChildProcess.StopSignal.TERM);
    process.awaitAnswer(START_TIMEOUT, this::hello);
    var access =
        new MongoAccess(
            "mongodb://127.0.0.1:" + port + "/?directConnection=true",
            address.encryption(),
            address.login());
    address.login().ifPresent(login -> createUser(access.withoutLogin(), login));
    store = new MongoStore(access);
  }

  /** The first user may be created without a login, from this machine. */
  private static void createUser(MongoAccess access, Login login) {
    try (MongoClient client = MongoClients.create(access.settings().build())) {
      client.getDatabase(login.database()).runCommand(login.createCommand());
    }
  }

  private boolean hello() throws IOException {
    try (WireConnection connection = address.connect()) {
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
        .formatted(
            spec.product() + spec.protection().description(),
            store.version(),
            process.startMillis());
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return spec.durable()
        ? DurabilityLabels.mongo(durability)
        : DurabilityLabels.memory(durability);
  }

  @Override
  public Optional<WireAddress> wireAddress() {
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
