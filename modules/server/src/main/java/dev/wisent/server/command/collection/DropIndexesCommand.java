package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
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
  private final NodeDatabase database;

  public DropIndexesCommand(NodeDatabase database) {
    this.database = database;
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
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace);
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns not found " + namespace);
    }
    boolean all = which.isString() && which.asString().equals("*");
    RawValue chosen = which;
    int before =
        database
            .changes(namespace)
            .dropIndexes(
                collection,
                definition -> all ? allButId(definition) : chosen(definition, chosen),
                context.operation());
    reply.appendInt32("nIndexesWas", before);
    if (all) {
      reply.appendString("msg", "non-_id indexes dropped for collection");
    }
  }

  private static List<IndexDefinition> allButId(CollectionDefinition collection) {
    return collection.indexes().stream().filter(index -> !index.isId()).toList();
  }

  private static List<IndexDefinition> chosen(CollectionDefinition collection, RawValue which) {
    var chosen = new ArrayList<IndexDefinition>();
    if (which.isString()) {
      chosen.add(byName(collection, which.asString()));
    } else if (which.isArray()) {
      ElementCursor names = which.elements();
      while (names.next()) {
        chosen.add(byName(collection, ArgumentTypes.string("dropIndexes.index", names.value())));
      }
    } else if (which.isDocument()) {
      chosen.add(IndexChoice.byKey(collection, which.asDocument(), "can't find index with key: "));
    } else {
      throw ArgumentTypes.wrongType("dropIndexes.index", which.type(), "string");
    }
    for (IndexDefinition index : chosen) {
      if (index.isId()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            collection.isClustered() ? "cannot drop the clusteredIndex" : "cannot drop _id index");
      }
    }
    return chosen;
  }

  private static IndexDefinition byName(CollectionDefinition collection, String name) {
    return collection
        .index(name)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.INDEX_NOT_FOUND, "index not found with name [" + name + "]"));
  }
}
