package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.profile.ProfileSettings;

/** {@code dropDatabase}. */
public final class DropDatabaseCommand implements Command {
  private final Definitions definitions;
  private final ProfileSettings profiling;

  public DropDatabaseCommand(Definitions definitions, ProfileSettings profiling) {
    this.definitions = definitions;
    this.profiling = profiling;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    definitions.checkDropDatabase(request.database());
    profiling.forget(request.database());
    if (definitions.dropDatabase(context.operation(), request.database()).dropped()) {
      reply.appendString("dropped", request.database());
    }
  }
}
