package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.operation.OperationRegistry;

/** {@code killOp}. */
public final class KillOpCommand implements Command {
  private final OperationRegistry operations;

  public KillOpCommand(OperationRegistry operations) {
    this.operations = operations;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Long id = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "op" -> id = reader.wholeNumber();
        default -> reader.unknown();
      }
    }
    if (id == null) {
      throw ArgumentTypes.missing("killOp.op");
    }
    operations.kill(id.intValue());
    reply.appendString("info", "attempting to kill op");
  }
}
