package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.io.IOException;

/** {@code logRotate}: the log, the audit log, or both. */
public final class LogRotateCommand implements Command {
  private final ServerLog log;
  private final AuditLog audit;

  public LogRotateCommand(ServerLog log, AuditLog audit) {
    this.log = log;
    this.audit = audit;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue which = request.argument();
    try {
      switch (which.isString() ? which.asString() : "") {
        case "" -> log.rotate();
        case "server" -> log.rotateAlone();
        case "audit" -> audit.rotate();
        default ->
            throw new CommandException(
                ErrorCode.NO_SUCH_KEY, "Unknown log type '" + which.asString() + "' for logRotate");
      }
    } catch (IOException e) {
      throw new CommandException(
          ErrorCode.FILE_RENAME_FAILED, "Failed to rotate the log: " + e.getMessage());
    }
  }
}
