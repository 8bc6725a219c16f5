package dev.wisent.server.authentication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code saslContinue}: goes on with a login. */
public final class SaslContinueCommand implements Command {
  private final ScramLogin login;

  public SaslContinueCommand(ScramLogin login) {
    this.login = login;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String path = request.nameInErrors();
    Long conversation = null;
    RawValue payload = null;
    ArgumentReader arguments = ArgumentReader.of(request);
    while (arguments.next()) {
      switch (arguments.name()) {
        case "conversationId" -> conversation = arguments.wholeNumber();
        case "payload" -> payload = arguments.value();
        default -> arguments.unknown();
      }
    }
    if (conversation == null) {
      throw ArgumentTypes.missing(path + ".conversationId");
    }
    byte[] bytes = SaslStart.payload(path, payload);
    SaslStart.checkConversation(conversation);
    SaslStart.append(login.proceed(context, bytes), payload.isString(), reply);
  }
}
