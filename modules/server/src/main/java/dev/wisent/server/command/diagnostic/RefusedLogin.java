package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code saslStart} and {@code authenticate} while there is no access control. */
public final class RefusedLogin implements Command {
  private static final int LOG_ID = 5286307;

  private final Log log;

  public RefusedLogin(Log log) {
    this.log = log;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue given = request.body().get("mechanism");
    String mechanism = given != null && given.isString() ? given.asString() : "unknown";
    String error =
        "Received authentication for mechanism "
            + mechanism
            + " which is not enabled: this server has no access control yet, connect without a"
            + " user name";
    log.withContext(context.client().description())
        .info(
            LOG_ID,
            "Failed to authenticate",
            "client",
            context.client().remoteAddress(),
            "mechanism",
            mechanism,
            "db",
            request.database(),
            "error",
            error);
    throw new CommandException(ErrorCode.MECHANISM_UNAVAILABLE, error);
  }
}
