package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/** {@code compact}: gives back the space of what was deleted. Reads and writes go on meanwhile. */
public final class CompactCommand implements Command {
  private final Diagnostics diagnostics;

  public CompactCommand(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> reader.bool();
        case "freeSpaceTargetMB" -> reader.nonNegative();
        case "dryRun" -> {
          if (reader.bool()) {
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "compact: dryRun is not supported yet");
          }
        }
        default -> reader.unknown();
      }
    }
    reply.appendInt64("bytesFreed", diagnostics.compact(namespace));
  }
}
