package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.DropOutcome;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.profile.ProfileSettings;

/** {@code drop}: no error where there is nothing to drop, as in MongoDB since 7.0. */
public final class DropCommand implements Command {
  private final Definitions definitions;
  private final ProfileSettings profiling;

  public DropCommand(Definitions definitions, ProfileSettings profiling) {
    this.definitions = definitions;
    this.profiling = profiling;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    checkNotProfiled(namespace);
    DropOutcome outcome = definitions.drop(context.operation(), namespace);
    if (outcome.indexes() != null) {
      reply.appendInt32("nIndexesWas", outcome.indexes());
    }
    if (outcome.dropped()) {
      reply.appendString("ns", namespace.full());
    }
  }

  private void checkNotProfiled(Namespace namespace) {
    if (namespace.equals(Namespace.profileOf(namespace.database()))
        && profiling.of(namespace.database()).level() > 0
        && definitions.find(namespace) != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "turn off profiling before dropping system.profile collection");
    }
  }
}
