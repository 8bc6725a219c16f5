package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.RenameRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code renameCollection}, also into another database: the data stays where it is. */
public final class RenameCollectionCommand implements Command {
  private final Definitions definitions;

  public RenameCollectionCommand(Definitions definitions) {
    this.definitions = definitions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace from =
        full(ArgumentTypes.string("renameCollection.renameCollection", request.argument()));
    Namespace to = null;
    boolean dropTarget = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "to" -> to = full(reader.string());
        case "dropTarget" -> dropTarget = reader.bool();
        case "stayTemp" -> reader.bool();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (to == null) {
      throw ArgumentTypes.missing("renameCollection.to");
    }
    rename(from, to, dropTarget, context);
  }

  private void rename(Namespace from, Namespace to, boolean dropTarget, CommandContext context) {
    if (from.equals(to)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Can't rename a collection to itself");
    }
    SystemNamespaces.checkRename(from, to);
    definitions.rename(context.operation(), new RenameRequest(from, to, dropTarget));
  }

  private static Namespace full(String name) {
    Namespace parsed = Namespace.parse(name);
    return Namespace.checked(parsed.database(), parsed.collection());
  }
}
