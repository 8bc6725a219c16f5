package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/** {@code dropDatabase}. */
public final class DropDatabaseCommand implements Command {
  private final LocalDatabase database;

  public DropDatabaseCommand(LocalDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    List<Collection> collections = database.catalog().inDatabase(request.database());
    for (Collection collection : collections) {
      database.changes().drop(collection, context.operation());
    }
    if (!collections.isEmpty()) {
      reply.appendString("dropped", request.database());
    }
  }
}
