package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/**
 * {@code reIndex}: writes all indexes of a collection anew. Its writers wait meanwhile, which is
 * why MongoDB does not allow it in a replica set.
 */
public final class ReIndexCommand implements Command {
  private final NodeDatabase database;
  private final boolean standalone;

  public ReIndexCommand(NodeDatabase database, boolean standalone) {
    this.database = database;
    this.standalone = standalone;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    if (!standalone) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "reIndex is only allowed on a standalone mongod instance. Cannot reIndex '"
              + namespace
              + "' while replication is active");
    }
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace, "can't re-index a view");
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "collection does not exist");
    }
    database.changes(namespace).reindex(collection, context.operation());
    List<Index> indexes = collection.indexes();
    reply.appendInt32("nIndexesWas", indexes.size());
    reply.appendInt32("nIndexes", indexes.size());
    reply.startArray("indexes");
    for (int i = 0; i < indexes.size(); i++) {
      reply.appendDocument(i, indexes.get(i).definition().spec());
    }
    reply.end();
  }
}
