package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CappedCopyRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/**
 * {@code convertToCapped}: the documents are copied into a capped collection, which then takes the
 * place of the first; only the {@code _id} index is kept, as in MongoDB. Writers of the collection
 * and changes of the catalog wait meanwhile.
 */
public final class ConvertToCappedCommand implements Command {
  private final Definitions definitions;

  public ConvertToCappedCommand(Definitions definitions) {
    this.definitions = definitions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.writable(request);
    long size = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "size" -> size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        default -> reader.unknown();
      }
    }
    if (size < 0) {
      throw ArgumentTypes.missing("convertToCapped.size");
    }
    var options = new BsonBuilder();
    CreateOptions.appendCapped(options, size, 0);
    definitions.copyCapped(
        context.operation(), new CappedCopyRequest(namespace, null, options.toDocument()));
  }
}
