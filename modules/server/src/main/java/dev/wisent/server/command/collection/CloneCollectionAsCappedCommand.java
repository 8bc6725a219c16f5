package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.operation.definition.CappedCopyRequest;
import dev.wisent.operation.definition.Definitions;
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
  private final Definitions definitions;

  public CloneCollectionAsCappedCommand(Definitions definitions) {
    this.definitions = definitions;
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
    definitions.copyCapped(
        context.operation(), new CappedCopyRequest(from, to, options.toDocument()));
  }
}
