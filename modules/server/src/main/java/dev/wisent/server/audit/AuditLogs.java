package dev.wisent.server.audit;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.LogSink;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.connection.ClientConnection;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the audit log that a server was started with. */
public final class AuditLogs {
  private AuditLogs() {}

  /**
   * @throws IllegalArgumentException for a file that cannot be opened, or a filter that is no query
   */
  public static AuditLog open(
      AuditOptions options, UserDirectory users, Clock clock, RandomSource random, ServerLog log) {
    AuditSink sink;
    try {
      sink =
          switch (options.destination()) {
            case NONE -> null;
            case FILE -> new AuditFile(options.path().orElseThrow(), clock);
            case CONSOLE -> AuditSink.console(new FileOutputStream(FileDescriptor.out));
          };
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "Cannot open the audit log " + options.path().orElseThrow() + ": " + e, e);
    }
    if (sink == null) {
      return AuditLog.NONE;
    }
    var audit =
        new JsonAuditLog(sink, options.filter(), users, clock, random, log.of(LogComponent.ACCESS));
    log.companion(new Companion(audit));
    return audit;
  }

  /** What is rotated with the log. */
  private record Companion(AuditLog audit) implements LogSink {
    @Override
    public void write(String line) {}

    @Override
    public Optional<Path> rotate() throws IOException {
      return audit.rotate();
    }
  }

  /** The server is ready; fails if that cannot be recorded. */
  public static void started(AuditLog audit, RawDocument options) {
    if (audit.isOn()) {
      var param = new BsonBuilder().appendDocument("startupOptions", options);
      param.startArray("initialClusterServerParameters").end();
      audit.event(AuditAction.STARTUP, null, param.toDocument(), 0);
    }
  }

  /** The server stops, whether that can be recorded or not. */
  public static void stopping(AuditLog audit) {
    try {
      audit.event(AuditAction.SHUTDOWN, null, RawDocument.EMPTY, 0);
    } catch (CommandException told) {
      // The log has it.
    }
  }

  /** A connection has ended, and its login with it. */
  public static void gone(AuditLog audit, ClientConnection client) {
    if (audit.isOn() && client.identity().isPresent()) {
      try {
        audit.loggedOut(client, client.identity().get().user(), AuditLog.IMPLICIT_LOGOUT);
      } catch (CommandException told) {
        // The log has it, and the event waits for a disk with room.
      }
    }
  }
}
