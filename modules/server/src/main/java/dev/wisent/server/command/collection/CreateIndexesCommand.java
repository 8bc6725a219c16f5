package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.IndexConflicts;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/** {@code createIndexes}. */
public final class CreateIndexesCommand implements Command {
  private final NodeDatabase database;

  public CreateIndexesCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.writable(request);
    List<RawDocument> wanted = parse(request);
    boolean isNew = database.collection(namespace) == null;
    if (isNew) {
      database.views(namespace).refuse(namespace);
      // What cannot be created leaves no collection behind.
      IndexConflicts.checkFirst(namespace, wanted);
    }
    Collection collection =
        database.changes(namespace).findOrCreate(namespace, context.operation());
    CatalogChanges.IndexCounts counts =
        database.changes(namespace).addIndexes(collection, wanted, context.operation());
    reply.appendInt32("numIndexesBefore", counts.before());
    reply.appendInt32("numIndexesAfter", counts.after());
    if (isNew) {
      reply.appendBoolean("createdCollectionAutomatically", true);
    }
    if (counts.before() == counts.after()) {
      reply.appendString("note", "all indexes already exist");
    }
  }

  private static List<RawDocument> parse(CommandRequest request) {
    List<RawDocument> specs = null;
    boolean ignoreUnknown = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "indexes" -> specs = reader.documents();
        case "commitQuorum" ->
            throw new CommandException(
                ErrorCode.BAD_VALUE, "Standalones can't specify commitQuorum");
        case "ignoreUnknownIndexOptions" -> ignoreUnknown = reader.bool();
        case "collectionUUID" -> reader.uuid();
        default -> reader.unknown();
      }
    }
    if (specs == null) {
      throw ArgumentTypes.missing("createIndexes.indexes");
    }
    if (specs.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Must specify at least one index to create");
    }
    boolean lenient = ignoreUnknown;
    return specs.stream().map(spec -> IndexSpec.parse(spec, lenient)).toList();
  }
}
