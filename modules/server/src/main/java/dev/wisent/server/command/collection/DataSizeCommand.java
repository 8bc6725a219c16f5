package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.diagnostic.DataSize;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code dataSize} of a whole collection. */
public final class DataSizeCommand implements Command {
  private final Diagnostics diagnostics;

  public DataSizeCommand(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace =
        Namespace.parse(ArgumentTypes.string("dataSize.dataSize", request.argument()));
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "estimate" -> reader.bool();
        case "keyPattern", "min", "max" ->
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "dataSize of a range is not supported yet");
        default -> reader.unknown();
      }
    }
    DataSize size = diagnostics.dataSize(namespace);
    reply.appendBoolean("estimate", false);
    reply.appendInt64("size", size.bytes());
    reply.appendInt64("numObjects", size.documents());
    reply.appendInt32("millis", 0);
  }
}
