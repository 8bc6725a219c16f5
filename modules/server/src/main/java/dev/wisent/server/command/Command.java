package dev.wisent.server.command;

import dev.wisent.bson.BsonBuilder;

/** What a command does. Instances are shared by all connections and keep no state of a call. */
public interface Command {
  /**
   * Runs the command and writes the fields of its reply; {@code ok} is added by the caller. An
   * error is thrown as a {@code CommandException}; whatever was written to the reply is then
   * dropped.
   */
  void run(CommandRequest request, CommandContext context, BsonBuilder reply);
}
