package dev.wisent.server.node;

import dev.wisent.base.log.Log;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What an operator should know about how a server was started: {@code getLog: "startupWarnings"},
 * which mongosh shows when it connects. Numbers below nine millions are MongoDB's.
 */
final class StartupWarnings {
  private static final int ACCESS_CONTROL_LOG_ID = 22120;
  private static final int LOCALHOST_LOG_ID = 22140;
  private static final int OPEN_LOG_ID = 9_000_434;
  private static final int PLAIN_LOG_ID = 9_000_435;
  private static final int ROOT_LOG_ID = 22138;
  private static final int OPEN_FILES_LOG_ID = 22184;

  /** What MongoDB recommends. */
  private static final long OPEN_FILES_RECOMMENDED = 64_000;

  private static final String OPEN_FILES = "Max open files";

  private final ServerOptions options;
  private final Log log;

  StartupWarnings(ServerOptions options, Log log) {
    this.options = options;
    this.log = log;
  }

  void write() {
    List<String> reachable =
        options.bindAddresses().stream().filter(address -> !NodeNames.isLocal(address)).toList();
    AccessOptions access = options.access();
    boolean accessControl =
        access.authorization()
            || access.keyFile().isPresent()
            || access.clusterAuthMode().acceptsX509();
    if (!accessControl) {
      log.startupWarning(
          ACCESS_CONTROL_LOG_ID,
          "Access control is not enabled for the database. Read and write access to data and"
              + " configuration is unrestricted");
    }
    if (reachable.isEmpty()) {
      log.startupWarning(
          LOCALHOST_LOG_ID,
          "This server is bound to localhost. Remote systems will be unable to connect to this"
              + " server. Start the server with --bind_ip <address> to specify which IP addresses"
              + " it should serve responses from, or with --bind_ip_all to bind to all interfaces");
    } else if (!accessControl) {
      log.startupWarning(
          OPEN_LOG_ID,
          "This server is open to the network: every host that reaches it may read and change"
              + " everything. Start it with --auth, or bind it to localhost",
          "bindAddresses",
          reachable);
    }
    if (!reachable.isEmpty() && options.tls().mode() == TlsOptions.Mode.DISABLED) {
      log.startupWarning(
          PLAIN_LOG_ID,
          "Connections are not encrypted: others on the network can read and change what clients"
              + " and this server tell each other. Start it with --tlsMode requireTLS",
          "bindAddresses",
          reachable);
    }
    if ("root".equals(System.getProperty("user.name"))) {
      log.startupWarning(
          ROOT_LOG_ID, "You are running this process as the root user, which is not recommended");
    }
    openFiles(Path.of("/proc/self/limits"))
        .ifPresent(
            limit -> {
              if (limit < OPEN_FILES_RECOMMENDED) {
                log.startupWarning(
                    OPEN_FILES_LOG_ID,
                    "Soft rlimits for open file descriptors too low",
                    "currentValue",
                    limit,
                    "recommendedMinimum",
                    OPEN_FILES_RECOMMENDED);
              }
            });
  }

  /** The soft limit, where the system tells it; nothing where there is none. */
  static OptionalLong openFiles(Path limits) {
    try {
      for (String line : Files.readAllLines(limits)) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).strip().split("\\s+")[0];
          return soft.equals("unlimited")
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseLong(soft));
        }
      }
      return OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      // Another system, which tells it elsewhere.
      return OptionalLong.empty();
    }
  }
}
