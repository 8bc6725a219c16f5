package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.DropIndexesRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.ArrayList;
import java.util.List;

/** {@code dropIndexes}: by name, names, key pattern, or all but {@code _id}. */
public final class DropIndexesCommand implements Command {
  private final Definitions definitions;

  public DropIndexesCommand(Definitions definitions) {
    this.definitions = definitions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    RawValue which = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "index" -> which = reader.value();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (which == null) {
      throw ArgumentTypes.missing("dropIndexes.index");
    }
    DropIndexesRequest chosen = chosen(namespace, which);
    reply.appendInt32(
        "nIndexesWas", definitions.dropIndexes(context.operation(), chosen).indexes());
    if (chosen.isAll()) {
      reply.appendString("msg", "non-_id indexes dropped for collection");
    }
  }

  private static DropIndexesRequest chosen(Namespace namespace, RawValue which) {
    if (which.isString()) {
      String name = which.asString();
      return new DropIndexesRequest(namespace, name.equals("*") ? null : List.of(name), null);
    }
    if (which.isArray()) {
      var names = new ArrayList<String>();
      ElementCursor elements = which.elements();
      while (elements.next()) {
        names.add(ArgumentTypes.string("dropIndexes.index", elements.value()));
      }
      return new DropIndexesRequest(namespace, names, null);
    }
    if (!which.isDocument()) {
      throw ArgumentTypes.wrongType("dropIndexes.index", which.type(), "string");
    }
    return new DropIndexesRequest(namespace, null, which.asDocument());
  }
}
