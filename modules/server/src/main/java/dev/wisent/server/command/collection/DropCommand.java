package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.profile.ProfileSettings;

/** {@code drop}: no error where there is nothing to drop, as in MongoDB since 7.0. */
public final class DropCommand implements Command {
  private final NodeDatabase database;
  private final ProfileSettings profiling;

  public DropCommand(NodeDatabase database, ProfileSettings profiling) {
    this.database = database;
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
    Collection collection = database.collection(namespace);
    if (collection == null) {
      if (database.views(namespace).find(namespace) != null) {
        database.viewChanges(namespace).drop(namespace, context.operation());
        reply.appendString("ns", namespace.full());
      }
      return;
    }
    SystemNamespaces.checkDrop(namespace);
    if (namespace.equals(Namespace.profileOf(namespace.database()))
        && profiling.of(namespace.database()).level() > 0) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "turn off profiling before dropping system.profile collection");
    }
    int indexes = collection.indexes().size();
    database.changes(namespace).drop(collection, context.operation());
    reply.appendInt32("nIndexesWas", indexes);
    reply.appendString("ns", namespace.full());
  }
}
