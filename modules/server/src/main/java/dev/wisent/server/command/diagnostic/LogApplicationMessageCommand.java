package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code logApplicationMessage}: the audit log, if there is one, has the message as its event. */
final class LogApplicationMessageCommand implements Command {
  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    if (!request.argument().isString()) {
      throw ArgumentTypes.wrongType(
          "logApplicationMessage.logApplicationMessage", request.argument().type(), "string");
    }
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }
}
