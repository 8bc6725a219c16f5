package dev.wisent.server.command;

import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;

import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.database.operation.Operations;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.collection.CloneCollectionAsCappedCommand;
import dev.wisent.server.command.collection.CollModCommand;
import dev.wisent.server.command.collection.CollStatsCommand;
import dev.wisent.server.command.collection.CollStatsSource;
import dev.wisent.server.command.collection.CollectionStatistics;
import dev.wisent.server.command.collection.CompactCommand;
import dev.wisent.server.command.collection.ConvertToCappedCommand;
import dev.wisent.server.command.collection.CreateCommand;
import dev.wisent.server.command.collection.CreateIndexesCommand;
import dev.wisent.server.command.collection.DataSizeCommand;
import dev.wisent.server.command.collection.DbHashCommand;
import dev.wisent.server.command.collection.DbStatsCommand;
import dev.wisent.server.command.collection.DropCommand;
import dev.wisent.server.command.collection.DropDatabaseCommand;
import dev.wisent.server.command.collection.DropIndexesCommand;
import dev.wisent.server.command.collection.ListCollectionsCommand;
import dev.wisent.server.command.collection.ListDatabasesCommand;
import dev.wisent.server.command.collection.ListIndexesCommand;
import dev.wisent.server.command.collection.ReIndexCommand;
import dev.wisent.server.command.collection.RenameCollectionCommand;
import dev.wisent.server.command.collection.ServerSources;
import dev.wisent.server.command.collection.ValidateCommand;
import dev.wisent.server.command.concern.GetDefaultRwConcernCommand;
import dev.wisent.server.command.concern.ReadConcernSupport;
import dev.wisent.server.command.concern.SetDefaultRwConcernCommand;
import dev.wisent.server.command.crud.AggregateCommand;
import dev.wisent.server.command.crud.BulkWriteCommand;
import dev.wisent.server.command.crud.CountCommand;
import dev.wisent.server.command.crud.DeleteCommand;
import dev.wisent.server.command.crud.DistinctCommand;
import dev.wisent.server.command.crud.FindAndModifyCommand;
import dev.wisent.server.command.crud.FindCommand;
import dev.wisent.server.command.crud.GetMoreCommand;
import dev.wisent.server.command.crud.InsertCommand;
import dev.wisent.server.command.crud.KillCursorsCommand;
import dev.wisent.server.command.crud.MapReduceCommand;
import dev.wisent.server.command.crud.UpdateCommand;
import dev.wisent.server.command.diagnostic.BuildInfoCommand;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.command.diagnostic.CurrentOperations;
import dev.wisent.server.command.diagnostic.DiagnosticTable;
import dev.wisent.server.command.diagnostic.HelloCommand;
import dev.wisent.server.command.diagnostic.ListCommandsCommand;
import dev.wisent.server.command.diagnostic.PingCommand;
import dev.wisent.server.command.diagnostic.RefusedLogin;
import dev.wisent.server.command.diagnostic.ServerParameters;
import dev.wisent.server.command.diagnostic.SessionCommands;
import dev.wisent.server.command.diagnostic.SimpleReplies;
import dev.wisent.server.command.plan.ExplainCommand;
import dev.wisent.server.command.plan.ExplainReply;
import dev.wisent.server.command.plan.IndexFilterCommands;
import dev.wisent.server.command.plan.PlanCacheClearCommand;
import dev.wisent.server.command.replication.ReplicationTable;
import dev.wisent.server.command.replication.ShownCollections;
import java.util.ArrayList;
import java.util.List;

/** Every command that the server knows: the one place where they are registered. */
public final class CommandTable {
  private CommandTable() {}

  public static List<CommandSpec> all(ServerServices services) {
    var table = new ArrayList<CommandSpec>();
    var statistics = new CollectionStatistics(services.database());
    var running =
        new CurrentOperations(
            services.operations(),
            services.clients(),
            services.cursors(),
            services.database(),
            services.connectedPort());
    var explain = new ExplainReply(services.database(), services.connectedPort());
    var shown = ShownCollections.of(services);
    table.addAll(documents(services, shown, statistics, running, explain));
    table.addAll(collections(services, shown, statistics));
    table.addAll(concerns(services));
    table.addAll(plans(services));
    table.addAll(handshake(services));
    table.addAll(DiagnosticTable.all(services, running));
    table.addAll(ReplicationTable.all(services));
    table.add(
        of(
                "explain",
                READ,
                "how a command is done",
                new ExplainCommand(
                    () -> List.copyOf(table), explain, new CollectionUuids(services.database())))
            .withReadConcern(ReadConcernSupport.ALL)
            .inApiV1());
    table.add(
        of(
            "listCommands",
            ADMIN,
            "what commands there are",
            new ListCommandsCommand(() -> List.copyOf(table))));
    if (ServerParameters.testCommandsEnabled(services.options())) {
      table.add(
          of(
                  "configureFailPoint",
                  ADMIN,
                  "make commands fail, for tests",
                  new ConfigureFailPointCommand(services.failPoints(), services.loops()))
              .onAdmin());
    }
    table.addAll(RefusedCommands.all());
    return table;
  }

  private static List<CommandSpec> documents(
      ServerServices s,
      Operations operations,
      CollectionStatistics statistics,
      CurrentOperations running,
      ExplainReply explain) {
    var cursors = s.cursors();
    var counts = s.metrics().documents();
    s.database()
        .sources(
            new ServerSources(
                s.database(),
                new CollStatsSource(s.database(), statistics, s.metrics().namespaces()),
                new CurrentOpSource(running, cursors),
                s.sessions(),
                s.connectedPort()));
    return List.of(
        of("find", READ, "query documents", new FindCommand(operations, cursors, counts))
            .byUuid()
            .withCollectionUuid()
            .withReadConcern(ReadConcernSupport.ALL)
            .inApiV1(),
        of(
                "aggregate",
                READ,
                "run a pipeline",
                new AggregateCommand(
                    operations, cursors, counts, explain, s.replicaSet().orElse(null)))
            .withCollectionUuid()
            .withReadConcern(ReadConcernSupport.ALL)
            .withWriteConcern()
            .inApiV1(),
        of("getMore", READ, "fetch more from a cursor", new GetMoreCommand(cursors, counts))
            .runsOn(RunsOn.SECONDARY)
            .withReadConcern(ReadConcernSupport.ALL)
            .inApiV1(),
        of("killCursors", READ, "close cursors", new KillCursorsCommand(cursors))
            .runsOn(RunsOn.ANY_STATE)
            .inApiV1(),
        of("insert", WRITE, "insert documents", new InsertCommand(operations, counts))
            .keepingArgumentsAsBytes()
            .withCollectionUuid()
            .withSequences("documents")
            .tellingOpTime()
            .retryable()
            .inApiV1(),
        of("update", WRITE, "update documents", new UpdateCommand(operations, counts))
            .withCollectionUuid()
            .withSequences("updates")
            .tellingOpTime()
            .retryable()
            .inApiV1(),
        of("delete", WRITE, "delete documents", new DeleteCommand(operations, counts))
            .withCollectionUuid()
            .withSequences("deletes")
            .tellingOpTime()
            .retryable()
            .inApiV1(),
        of(
                "findAndModify",
                WRITE,
                "change one document and return it",
                new FindAndModifyCommand(operations, counts))
            .alias("findandmodify")
            .retryable()
            .inApiV1(),
        of("count", READ, "count documents", new CountCommand(operations))
            .byUuid()
            .withReadConcern(ReadConcernSupport.NO_SNAPSHOT)
            .inApiV1(),
        of("distinct", READ, "the different values of a field", new DistinctCommand(operations))
            .byUuid()
            .withReadConcern(ReadConcernSupport.ALL),
        of(
                "mapReduce",
                READ,
                "group documents by functions",
                new MapReduceCommand(operations, s.database()))
            .alias("mapreduce")
            .withReadConcern(ReadConcernSupport.NO_SNAPSHOT)
            .withWriteConcern(),
        of(
                "bulkWrite",
                WRITE,
                "writes of all kinds, in any collections",
                new BulkWriteCommand(
                    operations, cursors, s.metrics(), new CollectionUuids(s.database())))
            .withSequences("ops", "nsInfo")
            .tellingOpTime()
            .retryable()
            .onAdmin()
            .inApiV1());
  }

  private static List<CommandSpec> collections(
      ServerServices s, ShownCollections shown, CollectionStatistics statistics) {
    var database = s.database();
    var cursors = s.cursors();
    return List.of(
        of("create", DEFINITION, "create a collection", new CreateCommand(database)).inApiV1(),
        of("drop", DEFINITION, "drop a collection", new DropCommand(database, s.profiling()))
            .withCollectionUuid()
            .inApiV1(),
        of(
                "dropDatabase",
                DEFINITION,
                "drop a database",
                new DropDatabaseCommand(database, s.profiling()))
            .inApiV1(),
        of(
                "renameCollection",
                DEFINITION,
                "rename a collection",
                new RenameCollectionCommand(database))
            .withCollectionUuid()
            .onAdmin(),
        of("collMod", DEFINITION, "change a collection", new CollModCommand(database))
            .withCollectionUuid()
            .inApiV1(),
        of(
            "convertToCapped",
            DEFINITION,
            "make a collection capped",
            new ConvertToCappedCommand(database)),
        of(
            "cloneCollectionAsCapped",
            DEFINITION,
            "copy a collection into a capped one",
            new CloneCollectionAsCappedCommand(database)),
        of("listDatabases", READ, "list databases", new ListDatabasesCommand(database))
            .onAdmin()
            .inApiV1(),
        of(
                "listCollections",
                READ,
                "list the collections of a database",
                new ListCollectionsCommand(database, shown, cursors))
            .inApiV1(),
        of(
                "createIndexes",
                DEFINITION,
                "create indexes",
                new CreateIndexesCommand(database, s.replicaSet()))
            .withCollectionUuid()
            .inApiV1(),
        of("listIndexes", READ, "list indexes", new ListIndexesCommand(database, shown, cursors))
            .byUuid()
            .withCollectionUuid()
            .inApiV1(),
        of("dropIndexes", DEFINITION, "drop indexes", new DropIndexesCommand(database))
            .withCollectionUuid()
            .alias("deleteIndexes")
            .inApiV1(),
        of(
                "reIndex",
                DEFINITION,
                "write indexes anew",
                new ReIndexCommand(database, s.replicaSet().isEmpty()))
            .withoutWriteConcern(),
        of("collStats", READ, "figures of a collection", new CollStatsCommand(statistics))
            .alias("collstats"),
        of(
                "dbStats",
                READ,
                "figures of a database",
                new DbStatsCommand(statistics, s.options().dbPath()))
            .alias("dbstats"),
        of("dataSize", READ, "bytes of a collection", new DataSizeCommand(database))
            .alias("datasize"),
        of(
                "dbHash",
                READ,
                "what a database contains",
                new DbHashCommand(database, s.connectedPort()))
            .runsOn(RunsOn.SECONDARY)
            .alias("dbhash"),
        of("validate", READ, "check a collection", new ValidateCommand(database))
            .runsOn(RunsOn.SECONDARY),
        of("compact", DEFINITION, "give back space", new CompactCommand(database))
            .runsOn(RunsOn.SECONDARY)
            .withoutWriteConcern());
  }

  private static List<CommandSpec> concerns(ServerServices s) {
    var database = s.database();
    ReplicaSet set = s.replicaSet().orElse(null);
    return List.of(
        of(
                "setDefaultRWConcern",
                WRITE,
                "change the default concerns",
                new SetDefaultRwConcernCommand(database, set))
            .withReadConcern(ReadConcernSupport.LOCAL_ONLY)
            .onAdmin(),
        of(
                "getDefaultRWConcern",
                ADMIN,
                "the default concerns",
                new GetDefaultRwConcernCommand(database, set))
            .onAdmin());
  }

  private static List<CommandSpec> plans(ServerServices s) {
    var filters = new IndexFilterCommands(s.database());
    return List.of(
        of("planCacheClear", ADMIN, "forget plans", new PlanCacheClearCommand(s.database()))
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of("planCacheSetFilter", ADMIN, "limit plans to some indexes", filters::set)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of("planCacheListFilters", ADMIN, "which plans are limited", filters::list)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of("planCacheClearFilters", ADMIN, "take back limits of plans", filters::clear)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED));
  }

  private static List<CommandSpec> handshake(ServerServices s) {
    var sessions = new SessionCommands(s.sessions(), s.cursors(), s.operations());
    Log network = s.log().of(LogComponent.NETWORK);
    var login = new RefusedLogin(s.log().of(LogComponent.ACCESS));
    return List.of(
        of(
                "hello",
                ADMIN,
                "what the server is",
                new HelloCommand(s.topology(), s.replicaSet(), network, true))
            .inApiV1(),
        of(
                "isMaster",
                ADMIN,
                "what the server is",
                new HelloCommand(s.topology(), s.replicaSet(), network, false))
            .alias("ismaster"),
        of("saslStart", ADMIN, "log in: not supported yet", login),
        of("authenticate", ADMIN, "log in: not supported yet", login),
        of("ping", ADMIN, "answer", new PingCommand()).inApiV1(),
        of("buildInfo", ADMIN, "versions", new BuildInfoCommand()).alias("buildinfo"),
        of("connectionStatus", ADMIN, "who is logged in", SimpleReplies.connectionStatus()),
        of("whatsmyuri", ADMIN, "the client's address", SimpleReplies.whatsMyUri()),
        of("features", ADMIN, "for old clients", SimpleReplies.features()),
        of("getLastError", ADMIN, "for old clients", SimpleReplies.getLastError())
            .alias("getlasterror"),
        of("startSession", ADMIN, "start a session", sessions.start()),
        of("refreshSessions", ADMIN, "keep sessions", sessions.refresh()).inApiV1(),
        of("endSessions", ADMIN, "end sessions", sessions.end()).inApiV1(),
        of("killSessions", ADMIN, "end sessions", sessions.kill()).forRelief(),
        of("killAllSessions", ADMIN, "end all sessions", sessions.killAll()).forRelief(),
        of("killAllSessionsByPattern", ADMIN, "end sessions that fit", sessions.killByPattern())
            .forRelief());
  }
}
