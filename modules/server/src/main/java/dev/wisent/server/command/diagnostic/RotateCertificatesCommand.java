package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.tls.TlsException;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code rotateCertificates}: reads the files of certificates again, for new connections. */
public final class RotateCertificatesCommand implements Command {
  private static final int ROTATED_LOG_ID = 4_913_400;
  private static final int FAILED_LOG_ID = 4_913_401;

  private final TlsState tls;
  private final Log log;

  public RotateCertificatesCommand(TlsState tls, Log log) {
    this.tls = tls;
    this.log = log;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String message = "";
    ArgumentReader arguments = ArgumentReader.of(request);
    while (arguments.next()) {
      if (arguments.name().equals("message")) {
        message = ArgumentTypes.string("rotateCertificates.message", arguments.value());
      } else {
        arguments.unknown();
      }
    }
    try {
      tls.rotate();
    } catch (TlsException e) {
      log.error(FAILED_LOG_ID, "Failed to rotate X509 certificates", "error", e.getMessage());
      throw new CommandException(
          tls.options().isOn() ? ErrorCode.INVALID_SSL_CONFIGURATION : ErrorCode.ILLEGAL_OPERATION,
          "Failed to rotate certificates, the ones in use stay: " + e.getMessage());
    }
    log.info(ROTATED_LOG_ID, "Successfully rotated X509 certificates", "message", message);
  }
}
