package dev.wisent.server.authentication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.UserName;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code authenticate}: logs in by the certificate of the connection. */
public final class AuthenticateCommand implements Command {
  private final CertificateLogin login;

  public AuthenticateCommand(CertificateLogin login) {
    this.login = login;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    run(context, ArgumentReader.of(request), request.database(), false, reply);
  }

  /**
   * Runs it.
   *
   * @param database null if the arguments name it, as those in {@code hello} do
   */
  void run(
      CommandContext context,
      ArgumentReader arguments,
      String database,
      boolean isSpeculative,
      BsonBuilder reply) {
    String named = database;
    String mechanism = null;
    String user = null;
    while (arguments.next()) {
      switch (arguments.name()) {
        case "mechanism" -> mechanism = arguments.string();
        case "user" -> user = arguments.string();
        case "authenticate" -> {} // of hello
        case "db" -> named = database == null ? arguments.string() : database;
        default -> arguments.unknown();
      }
    }
    if (mechanism == null || mechanism.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Auth mechanism not specified");
    }
    if (!mechanism.equals(LoginSettings.X509)) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Unsupported mechanism: " + mechanism);
    }
    String name = login.login(context, named == null ? "" : named, user, isSpeculative);
    reply.appendString("dbname", UserName.EXTERNAL).appendString("user", name);
  }
}
