package dev.wisent.server.authentication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code logout}: ends the login of a user of the database. */
public final class LogoutCommand implements Command {
  private final Logins logins;

  public LogoutCommand(Logins logins) {
    this.logins = logins;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader arguments = ArgumentReader.of(request);
    while (arguments.next()) {
      arguments.unknown();
    }
    logins.logout(context.client(), request.database());
  }
}
