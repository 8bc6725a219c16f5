package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code setParameter}. */
public final class SetParameterCommand implements Command {
  private final ServerParameters parameters;

  public SetParameterCommand(ServerParameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    // All names first: one that cannot be changed leaves the others as they are.
    ArgumentReader names = ArgumentReader.of(request);
    while (names.next()) {
      parameters.checkChangeable(names.name());
    }
    boolean any = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      RawValue was = parameters.set(reader.name(), reader.value());
      if (!any) {
        reply.append("was", was);
      }
      any = true;
    }
    if (!any) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "no option found to set, use help:true to see options ");
    }
  }
}
