package dev.wisent.cli;

import dev.wisent.server.ServerVersion;
import dev.wisent.wire.HostAndPort;
import java.util.List;
import java.util.Set;

/**
 * What a person at a terminal reads once the server serves: what it is, where its data is, how to
 * connect, and what to do next.
 */
final class Banner {
  private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::");

  private final ServerSettings settings;

  Banner(ServerSettings settings) {
    this.settings = settings;
  }

  String text(RunningServer server, long pid) {
    boolean member = settings.replicaSet().isPresent();
    String next =
        member
            ? "for a new set run rs.initiate() in mongosh, on one of its members"
            : "docs/compatibility.md lists what works";
    return """

    Wisent %s, compatible with MongoDB %s, process %d
      %s
      connect  mongosh "%s"
      next     %s; Ctrl-C stops the server

    """
        .formatted(
            ServerVersion.WISENT,
            ServerVersion.COMPATIBLE_WITH,
            pid,
            contents(server),
            connectionString(server.port(), member),
            next);
  }

  private String contents(RunningServer server) {
    if (settings.configDb().isPresent()) {
      return "config   " + settings.configDb().get();
    }
    String recovered =
        server.recoveredChanges().isPresent()
            ? " (recovered " + server.recoveredChanges().getAsLong() + " changes after a crash)"
            : "";
    return "data     " + settings.dbPath().toAbsolutePath().normalize() + recovered;
  }

  private String connectionString(int port, boolean member) {
    return "mongodb://"
        + host(settings.bindAddresses())
        + ":"
        + port
        + (member ? "/?directConnection=true" : "/");
  }

  private static String host(List<String> addresses) {
    String first = addresses.getFirst();
    if (ANY_ADDRESS.contains(first)) {
      return "localhost";
    }
    return HostAndPort.bracketed(first);
  }
}
