package dev.wisent.server.command;

import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;

import dev.wisent.server.ServerServices;
import dev.wisent.server.command.collection.CreateCommand;
import dev.wisent.server.command.collection.CreateIndexesCommand;
import dev.wisent.server.command.collection.DropCommand;
import dev.wisent.server.command.collection.DropDatabaseCommand;
import dev.wisent.server.command.collection.DropIndexesCommand;
import dev.wisent.server.command.collection.ListCollectionsCommand;
import dev.wisent.server.command.collection.ListDatabasesCommand;
import dev.wisent.server.command.collection.ListIndexesCommand;
import dev.wisent.server.command.crud.BulkWriteCommand;
import dev.wisent.server.command.crud.CountCommand;
import dev.wisent.server.command.crud.DeleteCommand;
import dev.wisent.server.command.crud.DistinctCommand;
import dev.wisent.server.command.crud.FindAndModifyCommand;
import dev.wisent.server.command.crud.FindCommand;
import dev.wisent.server.command.crud.GetMoreCommand;
import dev.wisent.server.command.crud.InsertCommand;
import dev.wisent.server.command.crud.KillCursorsCommand;
import dev.wisent.server.command.crud.UpdateCommand;
import dev.wisent.server.command.diagnostic.BuildInfoCommand;
import dev.wisent.server.command.diagnostic.HelloCommand;
import dev.wisent.server.command.diagnostic.PingCommand;
import java.util.ArrayList;
import java.util.List;

/** Every command that the server knows: the one place where they are registered. */
public final class CommandTable {
  private CommandTable() {}

  public static List<CommandSpec> all(ServerServices services) {
    var table = new ArrayList<CommandSpec>();
    table.addAll(crud(services));
    table.addAll(collections(services));
    table.addAll(diagnostic(services));
    return table;
  }

  private static List<CommandSpec> crud(ServerServices s) {
    var operations = s.database();
    var cursors = s.cursors();
    return List.of(
        of("find", READ, "query documents", new FindCommand(operations, cursors)).inApiV1(),
        of("getMore", READ, "fetch more from a cursor", new GetMoreCommand(cursors)).inApiV1(),
        of("killCursors", READ, "close cursors", new KillCursorsCommand(cursors)).inApiV1(),
        of("insert", WRITE, "insert documents", new InsertCommand(operations)).inApiV1(),
        of("update", WRITE, "update documents", new UpdateCommand(operations)).inApiV1(),
        of("delete", WRITE, "delete documents", new DeleteCommand(operations)).inApiV1(),
        of(
                "findAndModify",
                WRITE,
                "change one document and return it",
                new FindAndModifyCommand(operations))
            .alias("findandmodify")
            .inApiV1(),
        of("count", READ, "count documents", new CountCommand(operations)).inApiV1(),
        of("distinct", READ, "the different values of a field", new DistinctCommand(operations)),
        of(
                "bulkWrite",
                WRITE,
                "writes of all kinds, in any collections",
                new BulkWriteCommand(operations, cursors))
            .onAdmin()
            .inApiV1());
  }

  private static List<CommandSpec> collections(ServerServices s) {
    var database = s.database();
    var cursors = s.cursors();
    return List.of(
        of("create", DEFINITION, "create a collection", new CreateCommand(database)).inApiV1(),
        of("drop", DEFINITION, "drop a collection", new DropCommand(database)).inApiV1(),
        of("dropDatabase", DEFINITION, "drop a database", new DropDatabaseCommand(database))
            .inApiV1(),
        of("listDatabases", READ, "list databases", new ListDatabasesCommand(database, s.storage()))
            .onAdmin()
            .inApiV1(),
        of(
                "listCollections",
                READ,
                "list the collections of a database",
                new ListCollectionsCommand(database, cursors))
            .inApiV1(),
        of("createIndexes", DEFINITION, "create indexes", new CreateIndexesCommand(database))
            .inApiV1(),
        of("listIndexes", READ, "list indexes", new ListIndexesCommand(database, cursors))
            .inApiV1(),
        of("dropIndexes", DEFINITION, "drop indexes", new DropIndexesCommand(database))
            .alias("deleteIndexes")
            .inApiV1());
  }

  private static List<CommandSpec> diagnostic(ServerServices s) {
    return List.of(
        of("hello", ADMIN, "what the server is", new HelloCommand(s.topology(), true)).inApiV1(),
        of("isMaster", ADMIN, "what the server is", new HelloCommand(s.topology(), false))
            .alias("ismaster"),
        of("ping", ADMIN, "answer", new PingCommand()).inApiV1(),
        of("buildInfo", ADMIN, "versions", new BuildInfoCommand()).alias("buildinfo"),
        of(
                "configureFailPoint",
                ADMIN,
                "make commands fail, for tests",
                new ConfigureFailPointCommand(s.failPoints()))
            .onAdmin());
  }
}
