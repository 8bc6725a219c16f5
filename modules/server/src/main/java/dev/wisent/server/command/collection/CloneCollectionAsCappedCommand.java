package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/**
 * {@code cloneCollectionAsCapped}: a capped collection with the documents of another one, of which
 * the oldest are left out if there is not enough room. It gets no other options and indexes.
 */
public final class CloneCollectionAsCappedCommand implements Command {
  private final NodeDatabase database;

  public CloneCollectionAsCappedCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace from = NamespaceArgument.of(request);
    String name = null;
    long size = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "toCollection" -> name = reader.string();
        case "size" -> size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        default -> reader.unknown();
      }
    }
    if (name == null) {
      throw ArgumentTypes.missing("cloneCollectionAsCapped.toCollection");
    }
    if (size < 0) {
      throw ArgumentTypes.missing("cloneCollectionAsCapped.size");
    }
    Namespace to = Namespace.inCheckedDatabase(request.database(), name);
    SystemNamespaces.checkCreate(to);
    var options = new BsonBuilder();
    CreateOptions.appendCapped(options, size, 0);
    RawDocument cappedOptions = options.toDocument();
    LocalDatabase part = database.of(from);
    part.changes()
        .exclusively(
            context.operation(),
            () -> {
              copy(part, from, to, cappedOptions, context.operation());
              return null;
            });
  }

  private static void copy(
      LocalDatabase part,
      Namespace from,
      Namespace to,
      RawDocument options,
      OperationContext operation) {
    if (part.catalog().find(from) == null) {
      part.views().refuse(from, "cloneCollectionAsCapped not supported for views: " + from);
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "source collection " + from + " does not exist");
    }
    part.views().refuse(to, "cloneCollectionAsCapped not supported for views: " + to);
    if (part.catalog().find(to) != null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "cloneCollectionAsCapped failed - destination collection "
              + to
              + " already exists. source collection: "
              + from);
    }
    Collection target = part.changes().create(to, options, operation);
    try {
      DocumentCopy.run(part, from, to, operation);
    } catch (RuntimeException e) {
      part.changes().drop(target, operation);
      throw e;
    }
  }
}
