package dev.wisent.server.authentication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code saslStart}: begins a login. */
public final class SaslStartCommand implements Command {
  private final ScramLogin login;

  public SaslStartCommand(ScramLogin login) {
    this.login = login;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    SaslStart start =
        SaslStart.parse(request.nameInErrors(), ArgumentReader.of(request), request.database());
    SaslStart.append(login.start(context, start, false), start.isText(), reply);
  }
}
