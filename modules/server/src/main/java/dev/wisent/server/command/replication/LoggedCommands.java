package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.oplog.OplogOperation;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.collection.CollModCommand;
import dev.wisent.server.command.collection.CreateCommand;
import dev.wisent.server.command.collection.CreateIndexesCommand;
import dev.wisent.server.command.collection.DropCommand;
import dev.wisent.server.command.collection.DropDatabaseCommand;
import dev.wisent.server.command.collection.DropIndexesCommand;
import dev.wisent.server.command.collection.RenameCollectionCommand;
import dev.wisent.server.profile.ProfileSettings;
import java.util.Set;

/** Runs the commands that an oplog has, which differ a little from those that clients send. */
final class LoggedCommands {
  private final CreateCommand create;
  private final Command createIndexes;
  private final Command drop;
  private final Command dropDatabase;
  private final Command dropIndexes;
  private final Command rename;
  private final Command collMod;

  LoggedCommands(StoreServices services, ProfileSettings profiling) {
    this.create = new CreateCommand(services.definitions());
    this.createIndexes = new CreateIndexesCommand(services.definitions(), services.replicaSet());
    this.drop = new DropCommand(services.definitions(), profiling);
    this.dropDatabase = new DropDatabaseCommand(services.definitions(), profiling);
    this.dropIndexes = new DropIndexesCommand(services.definitions());
    this.rename = new RenameCollectionCommand(services.definitions());
    this.collMod = new CollModCommand(services.definitions());
  }

  void run(OplogOperation entry, CommandRequest applyOps, CommandContext context) {
    ElementCursor fields = entry.what().elements();
    String name = fields.next() ? fields.name() : "";
    switch (name) {
      case "create" -> {
        CommandRequest request = request(entry, creation(entry.what()), applyOps);
        if (entry.uuid() == null) {
          create.run(request, context, new BsonBuilder());
        } else {
          create.create(request, entry.uuid(), context);
        }
      }
      case "createIndexes" -> run(createIndexes, entry, indexes(entry.what()), applyOps, context);
      case "drop" -> run(drop, entry, entry.what(), applyOps, context);
      case "dropDatabase" -> run(dropDatabase, entry, entry.what(), applyOps, context);
      case "dropIndexes", "deleteIndexes" ->
          run(dropIndexes, entry, entry.what(), applyOps, context);
      case "renameCollection" -> run(rename, entry, renaming(entry.what()), applyOps, context);
      case "collMod" -> run(collMod, entry, entry.what(), applyOps, context);
      default ->
          throw new CommandException(
              ErrorCode.COMMAND_NOT_SUPPORTED, "applyOps cannot run the command '" + name + "'");
    }
  }

  private static void run(
      Command command,
      OplogOperation entry,
      RawDocument body,
      CommandRequest applyOps,
      CommandContext context) {
    command.run(request(entry, body, applyOps), context, new BsonBuilder());
  }

  private static CommandRequest request(
      OplogOperation entry, RawDocument body, CommandRequest applyOps) {
    return applyOps.explained(
        new BsonBuilder(body.length() + 32)
            .appendAll(body)
            .appendString("$db", entry.namespace().database())
            .toDocument());
  }

  /** An entry also has the index that every collection has, and whether it is a step only. */
  private static RawDocument creation(RawDocument logged) {
    return logged.without(Set.of("idIndex", "temp"));
  }

  /** An entry has one index, its fields beside the name of the collection or in {@code spec}. */
  private static RawDocument indexes(RawDocument logged) {
    if (logged.get("indexes") != null) {
      return logged;
    }
    RawValue collection = logged.get("createIndexes");
    var command = new BsonBuilder(logged.length() + 32).append("createIndexes", collection);
    command.startArray("indexes");
    RawValue spec = logged.get("spec");
    if (spec != null && spec.isDocument()) {
      command.append(0, spec);
    } else {
      command.startDocument(0);
      ElementCursor fields = logged.elements();
      fields.next();
      while (fields.next()) {
        command.appendElement(fields);
      }
      command.end();
    }
    return command.end().toDocument();
  }

  /** An entry says which collection goes, a command only that one may. */
  private static RawDocument renaming(RawDocument logged) {
    RawValue replaced = logged.get("dropTarget");
    return new BsonBuilder(logged.length())
        .append("renameCollection", logged.get("renameCollection"))
        .append("to", logged.get("to"))
        .appendBoolean("dropTarget", replaced != null && replaced.isTruthy())
        .toDocument();
  }
}
