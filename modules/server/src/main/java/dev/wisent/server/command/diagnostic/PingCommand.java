package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code ping}: says nothing but ok. */
public final class PingCommand implements Command {
  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {}
}
