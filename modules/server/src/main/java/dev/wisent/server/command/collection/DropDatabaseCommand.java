package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.profile.ProfileSettings;
import java.util.List;

/** {@code dropDatabase}. */
public final class DropDatabaseCommand implements Command {
  private final NodeDatabase database;
  private final ProfileSettings profiling;

  public DropDatabaseCommand(NodeDatabase database, ProfileSettings profiling) {
    this.database = database;
    this.profiling = profiling;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    if (request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Dropping the 'admin' database is prohibited.");
    }
    if (request.database().equals("local") && database.shared().catalog().oplog() != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "Cannot drop 'local' database while replication is active");
    }
    profiling.forget(request.database());
    List<Collection> collections = database.inDatabase(request.database());
    for (Collection collection : collections) {
      database.changes(collection.namespace()).drop(collection, context.operation());
    }
    if (!collections.isEmpty()) {
      database.shared().oplogNotes().databaseDropped(request.database(), context.operation());
      reply.appendString("dropped", request.database());
    }
  }
}
