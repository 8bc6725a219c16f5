package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.io.IOException;

/** {@code logRotate}. */
public final class LogRotateCommand implements Command {
  private final ServerLog log;

  public LogRotateCommand(ServerLog log) {
    this.log = log;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    try {
      log.rotate();
    } catch (IOException e) {
      throw new CommandException(
          ErrorCode.FILE_RENAME_FAILED, "Failed to rotate the log: " + e.getMessage());
    }
  }
}
