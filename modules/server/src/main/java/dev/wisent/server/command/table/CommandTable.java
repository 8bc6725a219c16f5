package dev.wisent.server.command.table;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.READ;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onCollection;

import dev.wisent.replication.ReplicaSet;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.ReadConcernSupport;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.command.backup.BackupTable;
import dev.wisent.server.command.collection.CollStatsSource;
import dev.wisent.server.command.collection.CollectionTable;
import dev.wisent.server.command.collection.SampledQueriesSource;
import dev.wisent.server.command.collection.ServerSources;
import dev.wisent.server.command.collection.VirtualCollections;
import dev.wisent.server.command.concern.GetDefaultRwConcernCommand;
import dev.wisent.server.command.concern.SetDefaultRwConcernCommand;
import dev.wisent.server.command.crud.DocumentTable;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import dev.wisent.server.command.diagnostic.CurrentOperations;
import dev.wisent.server.command.diagnostic.DiagnosticTable;
import dev.wisent.server.command.diagnostic.HandshakeTable;
import dev.wisent.server.command.diagnostic.ListCommandsCommand;
import dev.wisent.server.command.diagnostic.ServerParameters;
import dev.wisent.server.command.plan.ExplainCommand;
import dev.wisent.server.command.plan.Explanations;
import dev.wisent.server.command.plan.IndexFilterCommands;
import dev.wisent.server.command.plan.PlanCacheClearCommand;
import dev.wisent.server.command.replication.ReplicationTable;
import dev.wisent.server.command.transaction.TransactionTable;
import dev.wisent.server.failpoint.ConfigureFailPointCommand;
import dev.wisent.server.privilege.Privilege;
import dev.wisent.server.user.UserTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Every command that a node of some role knows: the one place where they are registered. */
public final class CommandTable {
  private CommandTable() {}

  /**
   * The rows that a node of this role has.
   *
   * @param own those that no other role has; they stand for rows of the same name
   */
  public static List<CommandSpec> all(
      NodeRole role, ServerServices services, List<CommandSpec> own) {
    var table = new ArrayList<CommandSpec>();
    var running =
        new CurrentOperations(
            services.operations(),
            services.clients(),
            services.cursors(),
            services.transactions(),
            services.stored().map(StoreServices::store).orElse(null),
            services.connectedPort());
    var explain = new Explanations(services.database(), services.connectedPort());
    var shown = services.stored().isPresent() ? VirtualCollections.of(services) : null;
    services.stored().ifPresent(store -> connectSources(services, store, running));
    table.addAll(DocumentTable.all(services, shown == null ? services.database() : shown, explain));
    table.addAll(CollectionTable.all(services, shown));
    table.addAll(concerns(services));
    table.addAll(plans(services));
    table.addAll(HandshakeTable.all(services));
    table.addAll(DiagnosticTable.all(services, running));
    table.addAll(ReplicationTable.all(services));
    table.addAll(TransactionTable.all(services));
    table.addAll(BackupTable.all(services));
    table.add(
        of(
                "explain",
                READ,
                "how a command is done",
                new ExplainCommand(() -> List.copyOf(table), explain, services.uuids()))
            .scope(ALL_ROLES, V1, Privilege.INNER_COMMAND, NO_TRANSACTION)
            .withReadConcern(ReadConcernSupport.ALL));
    table.add(
        of(
                "listCommands",
                ADMIN,
                "what commands there are",
                new ListCommandsCommand(() -> List.copyOf(table)))
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION));
    if (ServerParameters.testCommandsEnabled(services.options())) {
      table.add(
          of(
                  "configureFailPoint",
                  ADMIN,
                  "make commands fail, for tests",
                  new ConfigureFailPointCommand(services.failPoints(), services.loops()))
              .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION)
              .onAdmin());
    }
    table.addAll(UserTable.all(services));
    table.addAll(RefusedCommands.all());
    table.removeIf(row -> !row.scope().roles().contains(role));
    table.removeIf(row -> own.stream().anyMatch(other -> other.isCalled(row.name())));
    table.addAll(own);
    return table;
  }

  private static Command filters(ServerServices s, Function<IndexFilterCommands, Command> command) {
    return s.ofStore(store -> command.apply(new IndexFilterCommands(store.planCaches())));
  }

  private static void connectSources(
      ServerServices services, StoreServices store, CurrentOperations running) {
    store
        .store()
        .sources(
            new ServerSources(
                store.definitions(),
                store.diagnostics(),
                store.planCaches(),
                new CollStatsSource(store.diagnostics(), services.metrics().namespaces()),
                new CurrentOpSource(running, services.cursors()),
                services.sessions(),
                samples(services),
                services.connectedPort()));
  }

  private static SampledQueriesSource samples(ServerServices services) {
    if (services.replicaSet().isEmpty()) {
      return SampledQueriesSource.missingOn("standalone mongod");
    }
    return services.options().clusterRole() == ClusterRole.SHARD_SERVER
        ? SampledQueriesSource.missingOn("shardsvr mongod")
        : SampledQueriesSource.ofSet();
  }

  private static List<CommandSpec> concerns(ServerServices s) {
    var database = s.database();
    ReplicaSet set = s.replicaSet().orElse(null);
    return List.of(
        of(
                "setDefaultRWConcern",
                WRITE,
                "change the default concerns",
                s.ofStore(store -> new SetDefaultRwConcernCommand(database, set)))
            .scope(ALL_ROLES, NO_API, onCluster(Action.SET_DEFAULT_RW_CONCERN), NO_TRANSACTION)
            .withReadConcern(ReadConcernSupport.LOCAL_ONLY)
            .onAdmin(),
        of(
                "getDefaultRWConcern",
                ADMIN,
                "the default concerns",
                s.ofStore(store -> new GetDefaultRwConcernCommand(database, set)))
            .scope(ALL_ROLES, NO_API, onCluster(Action.GET_DEFAULT_RW_CONCERN), NO_TRANSACTION)
            .onAdmin());
  }

  private static List<CommandSpec> plans(ServerServices s) {
    return List.of(
        of(
                "planCacheClear",
                ADMIN,
                "forget plans",
                s.ofStore(store -> new PlanCacheClearCommand(store.planCaches())))
            .scope(ALL_ROLES, NO_API, onCollection(Action.PLAN_CACHE_WRITE), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of(
                "planCacheSetFilter",
                ADMIN,
                "limit plans to some indexes",
                filters(s, filters -> filters::set))
            .scope(ALL_ROLES, NO_API, onCollection(Action.PLAN_CACHE_INDEX_FILTER), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of(
                "planCacheListFilters",
                ADMIN,
                "which plans are limited",
                filters(s, filters -> filters::list))
            .scope(ALL_ROLES, NO_API, onCollection(Action.PLAN_CACHE_INDEX_FILTER), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED),
        of(
                "planCacheClearFilters",
                ADMIN,
                "take back limits of plans",
                filters(s, filters -> filters::clear))
            .scope(ALL_ROLES, NO_API, onCollection(Action.PLAN_CACHE_INDEX_FILTER), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED));
  }
}
