package dev.wisent.bench.target;

import com.mongodb.AuthenticationMechanism;
import com.mongodb.ConnectionString;
import com.mongodb.MongoCredential;
import dev.wisent.bench.access.Encryption;
import dev.wisent.bench.access.Login;
import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.process.ProcessTree;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.MongoStore;
import dev.wisent.bench.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** A server that is already running. Its CPU and memory are measured when it is on this machine. */
final class UriTarget implements Target {
  private static final int DEFAULT_PORT = 27017;

  private final String name;
  private final String uri;

  private InetSocketAddress address;
  private MongoStore store;
  private Optional<ProcessTree> processes = Optional.empty();

  UriTarget(String name, String uri) {
    this.name = name;
    this.uri = uri;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() throws Exception {
    address = firstAddress();
    store = new MongoStore(uri);
    long pid = store.reportedPid();
    if (pid > 0 && ProcessTree.supported() && address.getAddress().isLoopbackAddress()) {
      processes = Optional.of(new ProcessTree(pid)).filter(ProcessTree::alive);
    }
  }

  private InetSocketAddress firstAddress() throws Exception {
    String host = new ConnectionString(uri).getHosts().getFirst();
    int colon = host.lastIndexOf(':');
    boolean hasPort = colon > host.lastIndexOf(']');
    String hostName = (hasPort ? host.substring(0, colon) : host).replaceAll("[\\[\\]]", "");
    int port = hasPort ? Integer.parseInt(host.substring(colon + 1)) : DEFAULT_PORT;
    return new InetSocketAddress(InetAddress.getByName(hostName), port);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Meter meter() {
    return new Meter(processes, Optional.empty());
  }

  @Override
  public String description() {
    return "running server at %s:%d (reports version %s)%s"
        .formatted(
            address.getHostString(),
            address.getPort(),
            store.version(),
            processes.isPresent() ? "" : ", its processes cannot be measured from here");
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return DurabilityLabels.mongo(durability);
  }

  @Override
  public Optional<WireAddress> wireAddress() {
    var connection = new ConnectionString(uri);
    MongoCredential credential = connection.getCredential();
    if (credential != null && !logsInByPassword(credential)) {
      return Optional.empty();
    }
    return Optional.of(
        new WireAddress(
            address,
            Boolean.TRUE.equals(connection.getSslEnabled())
                ? Optional.of(Encryption.ofRuntime())
                : Optional.empty(),
            Optional.ofNullable(credential)
                .map(each -> new Login(each.getUserName(), each.getSource(), each.getPassword()))));
  }

  private static boolean logsInByPassword(MongoCredential credential) {
    AuthenticationMechanism mechanism = credential.getAuthenticationMechanism();
    return mechanism == null || mechanism == AuthenticationMechanism.SCRAM_SHA_256;
  }

  @Override
  public Optional<String> death() {
    return processes.filter(tree -> !tree.alive()).map(_ -> "its process has ended");
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
  }
}
