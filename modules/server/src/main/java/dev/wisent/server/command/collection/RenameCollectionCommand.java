package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code renameCollection}, also into another database: the data stays where it is. */
public final class RenameCollectionCommand implements Command {
  private final NodeDatabase database;

  public RenameCollectionCommand(NodeDatabase database) {
    this.database = database;
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
    if (database.of(from) != database.of(to)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot rename collections between a replicated and an unreplicated database");
    }
    database
        .changes(from)
        .exclusively(
            context.operation(),
            () -> {
              Collection source = database.collection(from);
              if (source == null) {
                if (database.views(from).find(from) != null) {
                  throw new CommandException(
                      ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "cannot rename view: " + from);
                }
                throw new CommandException(
                    ErrorCode.NAMESPACE_NOT_FOUND, "Source collection " + from + " does not exist");
              }
              Collection target = database.collection(to);
              if (database.views(to).find(to) != null) {
                throw new CommandException(
                    ErrorCode.NAMESPACE_EXISTS, "a view already exists with that name: " + to);
              }
              if (target != null && !dropTarget) {
                throw new CommandException(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
              }
              database.changes(from).rename(source, to, target, context.operation());
              return null;
            });
  }

  private static Namespace full(String name) {
    Namespace parsed = Namespace.parse(name);
    return Namespace.checked(parsed.database(), parsed.collection());
  }
}
