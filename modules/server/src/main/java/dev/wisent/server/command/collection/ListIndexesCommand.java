package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.Namespace;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.database.cursor.ListCursor;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.command.crud.CursorReply;
import dev.wisent.server.cursor.CursorRegistry;
import java.util.ArrayList;

/** {@code listIndexes}. */
public final class ListIndexesCommand implements Command {
  private final LocalDatabase database;
  private final CursorRegistry cursors;

  public ListIndexesCommand(LocalDatabase database, CursorRegistry cursors) {
    this.database = database;
    this.cursors = cursors;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "cursor" -> batchSize = CursorArgument.batchSize(reader);
        // They change the shape of the reply.
        case "includeBuildUUIDs", "includeIndexBuildInfo" -> reader.refuseIfSet();
        default -> reader.unknown();
      }
    }
    Collection collection = database.catalog().find(namespace);
    if (collection == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    var specs = new ArrayList<RawDocument>();
    for (Index index : collection.indexes()) {
      specs.add(index.definition().spec());
    }
    new CursorReply(cursors, request)
        .first(new ListCursor(specs), batchSize, false, false)
        .write(namespace, reply);
  }
}
