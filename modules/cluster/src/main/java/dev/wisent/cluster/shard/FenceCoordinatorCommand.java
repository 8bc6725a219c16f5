package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code _shardsvrFenceCoordinator}: what a coordinator has sent before is refused from now on. Its
 * number is all that matters, and was stored before it runs ({@link CoordinatorCalls}).
 */
final class FenceCoordinatorCommand implements Command {
  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "id" -> {}
        default -> reader.unknown();
      }
    }
    if (request.routing() == null || request.routing().get("coordinator") == null) {
      throw ArgumentTypes.missing(request.name() + ".routing.coordinator");
    }
  }
}
