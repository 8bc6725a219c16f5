package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code getParameter}: by name, or all of them with {@code '*'}. */
public final class GetParameterCommand implements Command {
  private final ServerParameters parameters;

  public GetParameterCommand(ServerParameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue which = request.argument();
    boolean all = which.isString() && which.asString().equals("*");
    boolean details = false;
    if (which.isDocument()) {
      all |= isSet(which, "allParameters");
      details = isSet(which, "showDetails");
    }
    if (all) {
      parameters.appendAll(reply, details);
      return;
    }
    boolean found = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      found |= parameters.append(reader.name(), reply, details);
    }
    if (!found) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "no option found to get");
    }
  }

  private static boolean isSet(RawValue options, String name) {
    RawValue value = options.asDocument().get(name);
    return value != null && ArgumentTypes.bool("getParameter." + name, value);
  }
}
