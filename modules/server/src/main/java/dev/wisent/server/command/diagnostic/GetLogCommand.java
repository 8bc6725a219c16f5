package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogHistory;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/** {@code getLog}: the last lines of the log. */
public final class GetLogCommand implements Command {
  private static final List<String> NAMES = List.of("global", "startupWarnings");

  private final LogHistory history;

  public GetLogCommand(LogHistory history) {
    this.history = history;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string("getLog.getLog", request.argument());
    switch (name) {
      case "*" -> append(reply, "names", NAMES);
      case "global" -> append(reply, history.global());
      case "startupWarnings" -> append(reply, history.startupWarnings());
      default ->
          throw new CommandException(ErrorCode.OPERATION_FAILED, "No log named '" + name + "'");
    }
  }

  private static void append(BsonBuilder reply, LogHistory.Excerpt excerpt) {
    reply.appendInt32("totalLinesWritten", (int) excerpt.totalLinesWritten());
    append(reply, "log", excerpt.lines());
  }

  private static void append(BsonBuilder reply, String field, List<String> lines) {
    reply.startArray(field);
    for (int i = 0; i < lines.size(); i++) {
      reply.appendString(Integer.toString(i), lines.get(i));
    }
    reply.end();
  }
}
