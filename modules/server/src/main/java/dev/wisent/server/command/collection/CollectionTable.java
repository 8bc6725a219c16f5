package dev.wisent.server.command.collection;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.NodeRole.STORING_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.command.TransactionUse.STARTS;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import java.util.List;

/** The commands about collections, indexes and databases. */
public final class CollectionTable {
  private CollectionTable() {}

  /**
   * @param shown null for a role without a store
   */
  public static List<CommandSpec> all(ServerServices s, VirtualCollections shown) {
    var cursors = s.cursors();
    return List.of(
        of(
                "create",
                DEFINITION,
                "create a collection",
                s.ofStore(store -> new CreateCommand(store.definitions())))
            .scope(ALL_ROLES, V1, onCollection(Action.CREATE_COLLECTION), STARTS),
        of(
                "drop",
                DEFINITION,
                "drop a collection",
                s.ofStore(store -> new DropCommand(store.definitions(), s.profiling())))
            .scope(ALL_ROLES, V1, onCollection(Action.DROP_COLLECTION), NO_TRANSACTION)
            .withCollectionUuid(),
        of(
                "dropDatabase",
                DEFINITION,
                "drop a database",
                s.ofStore(store -> new DropDatabaseCommand(store.definitions(), s.profiling())))
            .scope(ALL_ROLES, V1, onDatabase(Action.DROP_DATABASE), NO_TRANSACTION),
        of(
                "renameCollection",
                DEFINITION,
                "rename a collection",
                s.ofStore(store -> new RenameCollectionCommand(store.definitions())))
            .scope(
                ALL_ROLES,
                NO_API,
                onArguments(
                    Action.CREATE_COLLECTION,
                    Action.CREATE_INDEX,
                    Action.DROP_COLLECTION,
                    Action.FIND,
                    Action.INSERT,
                    Action.RENAME_COLLECTION_SAME_DB),
                NO_TRANSACTION)
            .withCollectionUuid()
            .onAdmin(),
        of(
                "collMod",
                DEFINITION,
                "change a collection",
                s.ofStore(store -> new CollModCommand(store.definitions())))
            .scope(ALL_ROLES, V1, onCollection(Action.COLL_MOD), NO_TRANSACTION)
            .withCollectionUuid(),
        of(
                "convertToCapped",
                DEFINITION,
                "make a collection capped",
                s.ofStore(store -> new ConvertToCappedCommand(store.definitions())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.CONVERT_TO_CAPPED), NO_TRANSACTION),
        of(
                "cloneCollectionAsCapped",
                DEFINITION,
                "copy a collection into a capped one",
                s.ofStore(store -> new CloneCollectionAsCappedCommand(store.definitions())))
            .scope(
                STORING_ROLES,
                NO_API,
                onArguments(
                    Action.CONVERT_TO_CAPPED, Action.CREATE_INDEX, Action.FIND, Action.INSERT),
                NO_TRANSACTION),
        of(
                "listDatabases",
                READ,
                "list databases",
                s.ofStore(
                    store -> new ListDatabasesCommand(store.definitions(), store.diagnostics())))
            .scope(ALL_ROLES, V1, onCluster(Action.LIST_DATABASES).orOwn(), NO_TRANSACTION)
            .onAdmin(),
        of(
                "listCollections",
                READ,
                "list the collections of a database",
                s.ofStore(store -> new ListCollectionsCommand(store.definitions(), shown, cursors)))
            .scope(ALL_ROLES, V1, onDatabase(Action.LIST_COLLECTIONS).orOwn(), NO_TRANSACTION),
        of(
                "createIndexes",
                DEFINITION,
                "create indexes",
                s.ofStore(
                    store -> new CreateIndexesCommand(store.definitions(), store.replicaSet())))
            .scope(ALL_ROLES, V1, onCollection(Action.CREATE_INDEX), STARTS)
            .withCollectionUuid(),
        of(
                "listIndexes",
                READ,
                "list indexes",
                s.ofStore(store -> new ListIndexesCommand(store.definitions(), shown, cursors)))
            .scope(ALL_ROLES, V1, onCollection(Action.LIST_INDEXES), NO_TRANSACTION)
            .byUuid()
            .withCollectionUuid(),
        of(
                "dropIndexes",
                DEFINITION,
                "drop indexes",
                s.ofStore(store -> new DropIndexesCommand(store.definitions())))
            .scope(ALL_ROLES, V1, onCollection(Action.DROP_INDEX), NO_TRANSACTION)
            .withCollectionUuid()
            .alias("deleteIndexes"),
        of(
                "reIndex",
                DEFINITION,
                "write indexes anew",
                s.ofStore(
                    store -> new ReIndexCommand(store.definitions(), store.replicaSet().isEmpty())))
            .scope(STORING_ROLES, NO_API, onCollection(Action.RE_INDEX), NO_TRANSACTION)
            .withoutWriteConcern(),
        of(
                "collStats",
                READ,
                "figures of a collection",
                s.ofStore(store -> new CollStatsCommand(store.diagnostics())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.COLL_STATS), NO_TRANSACTION)
            .alias("collstats"),
        of(
                "dbStats",
                READ,
                "figures of a database",
                s.ofStore(store -> new DbStatsCommand(store.diagnostics(), s.options().dbPath())))
            .scope(ALL_ROLES, NO_API, onDatabase(Action.DB_STATS), NO_TRANSACTION)
            .alias("dbstats"),
        of(
                "dataSize",
                READ,
                "bytes of a collection or of a range of keys",
                s.ofStore(
                    store ->
                        new DataSizeCommand(
                            s.database(), store.definitions(), store.diagnostics())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.FIND), NO_TRANSACTION)
            .alias("datasize"),
        of(
                "dbHash",
                READ,
                "what a database contains",
                s.ofStore(store -> new DbHashCommand(store.diagnostics(), s.connectedPort())))
            .scope(STORING_ROLES, NO_API, onDatabase(Action.DB_HASH), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY)
            .alias("dbhash"),
        of(
                "validate",
                READ,
                "check a collection",
                s.ofStore(store -> new ValidateCommand(store.diagnostics())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.VALIDATE), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY),
        of(
                "compact",
                DEFINITION,
                "give back space",
                s.ofStore(store -> new CompactCommand(store.diagnostics())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.COMPACT), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY)
            .withoutWriteConcern());
  }
}
