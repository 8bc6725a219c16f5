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
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;

/** {@code compact}: gives back the space of what was deleted. Reads and writes go on meanwhile. */
public final class CompactCommand implements Command {
  private final NodeDatabase database;

  public CompactCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> reader.bool();
        case "freeSpaceTargetMB" -> reader.nonNegative();
        case "dryRun" -> {
          if (reader.bool()) {
            throw new CommandException(
                ErrorCode.NOT_IMPLEMENTED, "compact: dryRun is not supported yet");
          }
        }
        default -> reader.unknown();
      }
    }
    Collection collection = database.collection(namespace);
    if (collection == null) {
      database.views(namespace).refuse(namespace, "can't compact a view");
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "collection does not exist");
    }
    StorageEngine storage = database.storage(collection);
    long before = storage.diskBytes();
    compact(storage, Keyspace.RECORDS, collection.ident());
    for (Index index : collection.indexes()) {
      compact(storage, Keyspace.INDEX, index.ident());
    }
    reply.appendInt64("bytesFreed", Math.max(0, before - storage.diskBytes()));
  }

  private static void compact(StorageEngine storage, Keyspace keyspace, int ident) {
    storage.compact(keyspace, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }
}
