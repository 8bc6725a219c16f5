package dev.wisent.bench.workload;

import dev.wisent.bench.access.Login;
import dev.wisent.bench.measure.Client;
import dev.wisent.bench.measure.ClosedLoop;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.WireAddress;
import dev.wisent.bench.target.WireConnection;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Connections that come and go: connect, hello, login where there is one, ping, close.
 *
 * @param resumed whether clients go on with the TLS secrets of earlier connections, as those of a
 *     driver's pool do; otherwise each has a full handshake
 */
record ConnectWorkload(String name, boolean resumed) implements Workload {
  @Override
  public String summary() {
    return resumed
        ? "connect with the TLS secrets of earlier connections, log in, ping, close"
        : "connect, log in where that is needed, ping, close";
  }

  @Override
  public String unit() {
    return "connection";
  }

  @Override
  public Durability durability() {
    return Durability.READ_ONLY;
  }

  @Override
  public Optional<String> unsupportedBy(Target target) {
    Optional<WireAddress> address = target.wireAddress();
    if (address.isEmpty()) {
      return Optional.of("the connections speak MongoDB's protocol");
    }
    return resumed && address.get().encryption().isEmpty()
        ? Optional.of("it has no TLS")
        : Optional.empty();
  }

  @Override
  public Prepared prepare(Subject subject) {
    WireAddress address = subject.target().wireAddress().orElseThrow();
    List<Client> clients = Collections.nCopies(subject.settings().threads(), () -> visit(address));
    return round -> subject.target().meter().measure(() -> ClosedLoop.run(clients, round.limit()));
  }

  private int visit(WireAddress address) throws IOException {
    try (WireConnection connection = resumed ? address.connect() : address.connectAnew()) {
      Optional<Login> login = address.login();
      if (login.isPresent()) {
        connection.login(login.get());
      } else {
        connection.hello();
      }
      connection.ping();
    }
    return 1;
  }
}
