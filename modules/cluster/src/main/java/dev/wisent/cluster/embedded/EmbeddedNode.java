package dev.wisent.cluster.embedded;

import dev.wisent.base.log.ServerLog;
import dev.wisent.cluster.ClusterRoles;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import java.io.UncheckedIOException;
import java.util.List;

/** A server inside this JVM. */
public final class EmbeddedNode implements EmbeddedServers {
  private static final String HOST = "127.0.0.1";

  private final ServerOptions options;
  private final WisentServer server;

  private EmbeddedNode(ServerOptions options, WisentServer server) {
    this.options = options;
    this.server = server;
  }

  /** Starts a server in the role that the options name. */
  public static EmbeddedNode start(ServerOptions options) {
    try {
      return new EmbeddedNode(
          options, WisentServer.start(options, ServerLog.silent(), ClusterRoles.opener(options)));
    } catch (ListenException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<EmbeddedNode> nodes() {
    return List.of(this);
  }

  @Override
  public List<EmbeddedNode> entries() {
    return List.of(this);
  }

  ServerOptions options() {
    return options;
  }

  public int port() {
    return server.port();
  }

  /** As the members of a set know it. */
  public String address() {
    return HOST + ":" + port();
  }

  /** What this server can be asked for. */
  public List<CommandSpec> commands() {
    return server.commands();
  }

  /** Fail points and profiling are as at the start again. */
  void resetSettings() {
    server.resetSettings();
  }

  @Override
  public void close() {
    server.close();
  }

  /** Where all members end at the same time, none can lead next. */
  void closeWithSet() {
    server.closeWithSet();
  }
}
