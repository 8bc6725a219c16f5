package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code shutdown}: ends the server cleanly; the connection goes with it. */
public final class ShutdownCommand implements Command {
  private final Runnable shutdown;

  public ShutdownCommand(Runnable shutdown) {
    this.shutdown = shutdown;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> reader.bool();
        case "timeoutSecs" -> reader.nonNegative();
        default -> reader.unknown();
      }
    }
    shutdown.run();
  }
}
