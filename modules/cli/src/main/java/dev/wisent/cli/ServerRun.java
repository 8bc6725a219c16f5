package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.base.log.FileLogSink;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.LogFormat;
import dev.wisent.base.log.LogSink;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.log.StreamLogSink;
import dev.wisent.cli.IgnoredOptions.Ignored;
import dev.wisent.server.connection.ConnectionLog;
import dev.wisent.storage.DiskSpace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The life of a server process: log, process id file, server, signals, end. */
final class ServerRun {
  private static final long ROOM_WAIT_MILLIS = 1000;

  private final ServerSettings settings;
  private final PrintStream out;
  private final boolean terminal;

  /** Whether the process id file is ours: after a failed start it may be another server's. */
  private boolean wrotePidFile;

  /**
   * @param out where a person is greeted
   * @param terminal whether a person reads what goes there
   */
  ServerRun(ServerSettings settings, PrintStream out, boolean terminal) {
    this.settings = settings;
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Returns when the server has stopped, for whatever reason.
   *
   * @param started told about the server as soon as it serves
   */
  void run(Consumer<RunningServer> started) throws StartException {
    try (ServerLog serverLog = openLog()) {
      serverLog.levels().set(LogComponent.DEFAULT, settings.log().verbosity());
      if (settings.log().quiet()) {
        serverLog.mute(ConnectionLog.ROUTINE);
      }
      LibraryLog.sendTo(serverLog.of(LogComponent.REPLICATION));
      Log log = serverLog.of(LogComponent.CONTROL).withContext("main");
      try {
        if (settings.repair()) {
          ServerStart.repair(settings);
          log.info(9_000_104, "Repaired", "dbPath", settings.dbPath().toString());
        } else {
          serve(serverLog, started);
        }
      } catch (StartException e) {
        // Foreseen, and said in words: no stack trace.
        log.fatal(9_000_100, "Cannot start", null, "reason", e.getMessage());
        throw e;
      } catch (RuntimeException e) {
        log.fatal(9_000_103, "The server failed", e);
        throw new StartException(ExitCode.ABRUPT, "internal error: " + e, e);
      } finally {
        deletePidFile(log);
      }
      log.info(23138, "Shutting down", "exitCode", 0);
    }
  }

  private void serve(ServerLog serverLog, Consumer<RunningServer> started) throws StartException {
    Log log = serverLog.of(LogComponent.CONTROL).withContext("main");
    for (Ignored option : settings.ignored()) {
      log.startupWarning(
          9_000_105, "Option has no effect", "option", option.name(), "reason", option.reason());
    }
    StopRequest stop = new StopRequest();
    handleSignals(stop, serverLog);
    try (RunningServer server = start(stop, serverLog, log)) {
      if (server == null) {
        return;
      }
      stop.forwardTo(server);
      writePidFile();
      if (format() == LogFormat.TEXT) {
        out.print(new Banner(settings).text(server, ProcessHandle.current().pid()));
        out.flush();
      }
      started.accept(server);
      server.awaitStop();
    }
  }

  /** On a full disk it waits for space. Null if it is to stop before. */
  private RunningServer start(StopRequest stop, ServerLog serverLog, Log log)
      throws StartException {
    String said = "";
    while (true) {
      try {
        return ServerStart.start(settings, serverLog);
      } catch (StartException e) {
        if (!DiskSpace.isFull(e)) {
          throw e;
        }
        if (!said.equals(e.getMessage())) {
          said = e.getMessage();
          log.warn(9_000_106, "Waiting for space on the disk to start", "reason", said);
        }
        do {
          if (stopsWithin(stop, ROOM_WAIT_MILLIS)) {
            return null;
          }
        } while (!DiskSpace.hasRoom(settings.dbPath()));
      }
    }
  }

  private static boolean stopsWithin(StopRequest stop, long millis) {
    try {
      return stop.await(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private ServerLog openLog() throws StartException {
    return new ServerLog(openSink(), Clock.system(), format());
  }

  /** Programs read files and pipes; unless told otherwise, a person reads a terminal. */
  private LogFormat format() {
    return settings
        .log()
        .format()
        .orElse(terminal && settings.log().path().isEmpty() ? LogFormat.TEXT : LogFormat.JSON);
  }

  private LogSink openSink() throws StartException {
    if (settings.log().path().isEmpty()) {
      return StreamLogSink.standardOutput();
    }
    Path path = settings.log().path().get();
    try {
      return new FileLogSink(path, settings.log().append(), Clock.system());
    } catch (IOException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "cannot open the log file " + path + ": " + e, e);
    }
  }

  /**
   * Handlers and not a shutdown hook: a JVM that ends through its hooks reports 143 for SIGTERM,
   * where service managers expect mongod's 0. They are there before the server is, so that a signal
   * during a long recovery is kept until the data can be closed in good order.
   */
  private static void handleSignals(StopRequest stop, ServerLog serverLog) {
    Log log = serverLog.of(LogComponent.CONTROL).withContext("SignalHandler");
    for (String name : new String[] {"TERM", "INT"}) {
      Signals.handle(
          name,
          number -> {
            log.info(23377, "Received signal", "signal", number);
            stop.request();
          });
    }
    Signals.handle(
        "USR1",
        number -> {
          try {
            serverLog.rotate();
            log.info(23166, "Log rotated");
          } catch (IOException e) {
            log.error(9_000_101, "Log rotation failed", e);
          }
        });
  }

  private void writePidFile() throws StartException {
    if (settings.pidFile().isEmpty()) {
      return;
    }
    Path file = settings.pidFile().get();
    try {
      Files.writeString(file, ProcessHandle.current().pid() + "\n");
      wrotePidFile = true;
    } catch (IOException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "cannot write the process id file " + file + ": " + e, e);
    }
  }

  private void deletePidFile(Log log) {
    try {
      if (wrotePidFile) {
        Files.deleteIfExists(settings.pidFile().orElseThrow());
      }
    } catch (IOException e) {
      log.error(9_000_102, "Cannot delete the process id file", e);
    }
  }
}
