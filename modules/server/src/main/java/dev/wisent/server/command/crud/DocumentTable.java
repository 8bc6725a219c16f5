package dev.wisent.server.command.crud;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.CONTINUES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.command.TransactionUse.STARTS;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCollection;

import dev.wisent.operation.Operations;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.ReadConcernSupport;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.command.plan.Explanations;
import java.util.List;

/** The commands about documents. */
public final class DocumentTable {
  private DocumentTable() {}

  public static List<CommandSpec> all(
      ServerServices s, Operations operations, Explanations explain) {
    var cursors = s.cursors();
    var counts = s.metrics().documents();
    return List.of(
        of("find", READ, "query documents", new FindCommand(operations, cursors, counts))
            .scope(ALL_ROLES, V1, onCollection(Action.FIND), STARTS)
            .byUuid()
            .withCollectionUuid()
            .withReadConcern(ReadConcernSupport.ALL),
        of(
                "aggregate",
                READ,
                "run a pipeline",
                new AggregateCommand(
                    operations,
                    cursors,
                    counts,
                    explain,
                    s.replicaSet().orElse(null),
                    s.stored().isEmpty() || s.replicaSet().isPresent()))
            .scope(
                ALL_ROLES,
                V1,
                onArguments(Action.FIND)
                    .withOptional(
                        Action.BYPASS_DOCUMENT_VALIDATION,
                        Action.CHANGE_STREAM,
                        Action.COLL_STATS,
                        Action.INDEX_STATS,
                        Action.INPROG,
                        Action.INSERT,
                        Action.PLAN_CACHE_READ,
                        Action.REMOVE,
                        Action.UPDATE),
                STARTS)
            .withCollectionUuid()
            .withReadConcern(ReadConcernSupport.ALL)
            .withWriteConcern(),
        of("getMore", READ, "fetch more from a cursor", new GetMoreCommand(cursors, counts))
            .scope(ALL_ROLES, V1, onArguments(Action.FIND).orOwn(), CONTINUES)
            .runsOn(RunsOn.SECONDARY)
            .withReadConcern(ReadConcernSupport.ALL),
        of("killCursors", READ, "close cursors", new KillCursorsCommand(cursors))
            .scope(ALL_ROLES, V1, onCollection(Action.KILL_ANY_CURSOR).orOwn(), CONTINUES)
            .runsOn(RunsOn.ANY_STATE),
        of("insert", WRITE, "insert documents", new InsertCommand(operations, counts))
            .scope(
                ALL_ROLES,
                V1,
                onCollection(Action.INSERT).withOptional(Action.BYPASS_DOCUMENT_VALIDATION),
                STARTS)
            .keepingArgumentsAsBytes()
            .withCollectionUuid()
            .withSequences("documents")
            .tellingOpTime()
            .retryable(),
        of("update", WRITE, "update documents", new UpdateCommand(operations, counts))
            .scope(
                ALL_ROLES,
                V1,
                onCollection(Action.UPDATE)
                    .withOptional(Action.BYPASS_DOCUMENT_VALIDATION, Action.INSERT),
                STARTS)
            .withCollectionUuid()
            .withSequences("updates")
            .tellingOpTime()
            .retryable(),
        of("delete", WRITE, "delete documents", new DeleteCommand(operations, counts))
            .scope(ALL_ROLES, V1, onCollection(Action.REMOVE), STARTS)
            .withCollectionUuid()
            .withSequences("deletes")
            .tellingOpTime()
            .retryable(),
        of(
                "findAndModify",
                WRITE,
                "change one document and return it",
                new FindAndModifyCommand(operations, counts))
            .scope(
                ALL_ROLES,
                V1,
                onCollection(Action.FIND)
                    .withOptional(
                        Action.BYPASS_DOCUMENT_VALIDATION,
                        Action.INSERT,
                        Action.REMOVE,
                        Action.UPDATE),
                STARTS)
            .alias("findandmodify")
            .retryable(),
        of("count", READ, "count documents", new CountCommand(operations))
            .scope(ALL_ROLES, V1, onCollection(Action.FIND), NO_TRANSACTION)
            .byUuid()
            .withReadConcern(ReadConcernSupport.NO_SNAPSHOT),
        of("distinct", READ, "the different values of a field", new DistinctCommand(operations))
            .scope(ALL_ROLES, NO_API, onCollection(Action.FIND), STARTS)
            .byUuid()
            .withReadConcern(ReadConcernSupport.ALL),
        of(
                "mapReduce",
                READ,
                "group documents by functions",
                new MapReduceCommand(operations, s.viewRefusal()))
            .scope(
                ALL_ROLES,
                NO_API,
                onCollection(Action.FIND)
                    .withOptional(
                        Action.BYPASS_DOCUMENT_VALIDATION,
                        Action.INSERT,
                        Action.REMOVE,
                        Action.UPDATE),
                NO_TRANSACTION)
            .alias("mapreduce")
            .withReadConcern(ReadConcernSupport.NO_SNAPSHOT)
            .withWriteConcern(),
        of(
                "bulkWrite",
                WRITE,
                "writes of all kinds, in any collections",
                new BulkWriteCommand(operations, cursors, s.metrics(), s.uuids()))
            .scope(
                ALL_ROLES,
                V1,
                onArguments(Action.INSERT, Action.REMOVE, Action.UPDATE)
                    .withOptional(Action.BYPASS_DOCUMENT_VALIDATION),
                STARTS)
            .withSequences("ops", "nsInfo")
            .tellingOpTime()
            .retryable()
            .onAdmin());
  }
}
