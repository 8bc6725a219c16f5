package dev.wisent.cli;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.ServerLog;
import dev.wisent.cluster.ClusterRoles;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.node.WisentServer;
import dev.wisent.server.transport.ListenException;
import dev.wisent.storage.DiskSpace;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Starts the server and translates what can go wrong into words and an exit code. */
final class ServerStart {
  private static final String PASSWORD = "<password>";

  private ServerStart() {}

  static RunningServer start(ServerSettings settings, ServerLog log) throws StartException {
    try {
      ServerOptions options = options(settings);
      return new Running(WisentServer.start(options, log, ClusterRoles.opener(options)));
    } catch (ListenException e) {
      String remedy =
          e.addressInUse() ? "; is another server running? Choose a port with --port" : "";
      throw new StartException(ExitCode.NETWORK, e.getMessage() + remedy, e);
    } catch (StorageException e) {
      throw new StartException(exitCode(e.kind()), e.getMessage(), e);
    } catch (UncheckedIOException e) {
      if (!DiskSpace.isFull(e)) {
        throw e;
      }
      throw new StartException(ExitCode.DATA_DIRECTORY, "the disk is full: " + e.getMessage(), e);
    } catch (CommandException | IllegalArgumentException e) {
      // A start-up parameter that the server does not know, or a value that it does not take.
      throw new StartException(ExitCode.BAD_OPTIONS, e.getMessage(), e);
    }
  }

  /** Opens the data directory once, accepting that the end of a damaged log is lost. */
  static void repair(ServerSettings settings) throws StartException {
    try {
      StorageEngine.open(StorageOptions.defaults(settings.dbPath()).withAcceptDamagedLog(true))
          .close();
    } catch (StorageException e) {
      throw new StartException(exitCode(e.kind()), e.getMessage(), e);
    }
  }

  private static ServerOptions options(ServerSettings settings) {
    List<String> argv = new ArrayList<>(List.of("wisent", settings.program().command()));
    argv.addAll(shown(settings.arguments()));
    ServerOptions.Builder options =
        ServerOptions.builder(settings.dbPath())
            .port(settings.port())
            .portByDefault(settings.portByDefault())
            .bindAddresses(settings.bindAddresses())
            .ipv6(settings.ipv6())
            .noTableScan(settings.noTableScan())
            .scripting(settings.scripting())
            .profiling(settings.profiling())
            .clusterRole(settings.clusterRole())
            .access(settings.security().access())
            .tls(settings.security().tls())
            .audit(settings.security().audit())
            .redactsClientData(settings.security().redactsClientData())
            .argv(argv);
    settings.cacheBytes().ifPresent(options::cacheBytes);
    settings.journalIntervalMillis().ifPresent(options::journalIntervalMillis);
    settings.connectionsMax().ifPresent(options::maxConnections);
    settings.parameters().forEach(options::setParameter);
    settings.replicaSet().ifPresent(options::replicaSet);
    settings.raftPort().ifPresent(options::raftPort);
    settings.oplogMegabytes().ifPresent(options::oplogMegabytes);
    settings.configDb().ifPresent(options::configDb);
    return options.build();
  }

  /** The command line that a person has typed, without passwords. */
  static List<String> shown(List<String> arguments) {
    List<String> shown = new ArrayList<>();
    boolean secret = false;
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (secret) {
        shown.add(PASSWORD);
      } else if (equals > 0 && ServerFlag.isSecret(argument.substring(0, equals))) {
        shown.add(argument.substring(0, equals + 1) + PASSWORD);
      } else if (!argument.equals(ServerFlag.FORKED.displayName())) {
        shown.add(argument); // the flag of a forked process is not typed
      }
      secret = !secret && ServerFlag.isSecret(argument);
    }
    return shown;
  }

  private static ExitCode exitCode(StorageException.Kind kind) {
    return switch (kind) {
      case FORMAT -> ExitCode.OTHER_VERSION;
      case LOCKED, NOT_WRITABLE, FULL, TOO_LARGE, CORRUPT, IO, CLOSED, REPLACED ->
          ExitCode.DATA_DIRECTORY;
    };
  }

  private record Running(WisentServer server) implements RunningServer {
    @Override
    public int port() {
      return server.port();
    }

    @Override
    public OptionalLong recoveredChanges() {
      return server.recoveredChanges();
    }

    @Override
    public void requestStop() {
      // Not on the signal's own thread: a second signal could then not be delivered.
      Thread.ofPlatform().name("shutdown").start(server::close);
    }

    @Override
    public void awaitStop() {
      try {
        server.awaitClosed();
        server
            .brokenInvariant()
            .ifPresent(
                error -> {
                  throw new IllegalStateException("Broken invariant: " + error, error);
                });
      } catch (InterruptedException e) {
        // The interrupt asks this thread to end, and with it the process: close in good order.
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
