package dev.wisent.server.command.replication;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.NodeRole.STORING_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onArguments;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rows of the command table that are about the replica set. */
public final class ReplicationTable {
  private final ServerServices services;
  private final Optional<ReplicaSetControl> control;
  private final Optional<ReplicaSet> set;
  private final ConfigServerField configServer;

  private ReplicationTable(ServerServices services) {
    this.services = services;
    this.control = services.stored().flatMap(StoreServices::replicaSetControl);
    this.set = services.replicaSet();
    this.configServer =
        new ConfigServerField(services.options().clusterRole() == ClusterRole.CONFIG_SERVER);
  }

  public static List<CommandSpec> all(ServerServices services) {
    return new ReplicationTable(services).rows();
  }

  private List<CommandSpec> rows() {
    return List.of(
        row(
            "replSetInitiate",
            Action.REPL_SET_CONFIGURE,
            "begin a replica set",
            commands -> commands::initiate),
        member(
            "replSetReconfig",
            Action.REPL_SET_CONFIGURE,
            "change the set",
            present -> new ReplSetReconfigCommand(present, configServer)),
        of(
                "replSetGetConfig",
                ADMIN,
                "the configuration of the set",
                set.filter(present -> control.isPresent())
                    .<Command>map(present -> new ReplSetGetConfigCommand(present, configServer))
                    .orElse(STANDALONE))
            .scope(STORING_ROLES, NO_API, onCluster(Action.REPL_SET_GET_CONFIG), NO_TRANSACTION)
            .onAdmin(),
        member(
                "replSetGetStatus",
                Action.REPL_SET_GET_STATUS,
                "how the members are",
                ReplSetGetStatusCommand::new)
            .alsoOn(NodeRole.ROUTER),
        member(
            "replSetStepDown",
            Action.REPL_SET_STATE_CHANGE,
            "be primary no longer",
            ReplSetStepDownCommand::new),
        row(
            "replSetStepUp",
            Action.REPL_SET_STATE_CHANGE,
            "become primary",
            commands -> commands::stepUp),
        row(
            "replSetFreeze",
            Action.REPL_SET_STATE_CHANGE,
            "do not stand for election",
            commands -> commands::freeze),
        row(
            "replSetMaintenance",
            Action.REPL_SET_STATE_CHANGE,
            "serve no reads",
            commands -> commands::maintenance),
        row(
            "replSetSyncFrom",
            Action.REPL_SET_STATE_CHANGE,
            "whom to follow",
            commands -> commands::syncFrom),
        row(
            "replSetAbortPrimaryCatchUp",
            Action.REPL_SET_STATE_CHANGE,
            "do not wait for old writes",
            commands -> commands::abortCatchUp),
        row("replSetGetRBID", Action.INTERNAL, "between members", commands -> commands::rollbackId),
        row(
            "replSetRequestVotes",
            Action.INTERNAL,
            "between members",
            commands -> commands::requestVotes),
        row(Heartbeat.COMMAND, Action.INTERNAL, "between members", commands -> commands::heartbeat),
        row(JoinRequest.COMMAND, Action.INTERNAL, "between members", commands -> commands::join),
        row(
            "replSetUpdatePosition",
            Action.INTERNAL,
            "between members",
            commands -> commands::updatePosition),
        oplog(
            "replSetResizeOplog",
            Action.REPL_SET_RESIZE_OPLOG,
            "how large the oplog may be",
            ReplSetResizeOplogCommand::new),
        oplog(
                "appendOplogNote",
                Action.APPEND_OPLOG_NOTE,
                "write a note into the oplog",
                AppendOplogNoteCommand::new)
            .alsoOn(NodeRole.ROUTER),
        member(
            "_passClusterTime",
            Action.INTERNAL,
            "between nodes",
            present -> new PassClusterTimeCommand(services.store().oplog())),
        of(
                "setClusterParameter",
                WRITE,
                "change a parameter of the set",
                services.ofStore(
                    store -> new SetClusterParameterCommand(services.database(), set.orElse(null))))
            .scope(ALL_ROLES, NO_API, onCluster(Action.SET_CLUSTER_PARAMETER), NO_TRANSACTION)
            .onAdmin(),
        of(
                "getClusterParameter",
                ADMIN,
                "parameters of the set",
                services.ofStore(
                    store -> new GetClusterParameterCommand(services.database(), set.orElse(null))))
            .scope(ALL_ROLES, NO_API, onCluster(Action.GET_CLUSTER_PARAMETER), NO_TRANSACTION)
            .onAdmin(),
        of(
                "connPoolStats",
                ADMIN,
                "connections to other nodes",
                new ConnPoolStatsCommand(
                    () -> set.map(each -> each.nodes().stats()).orElse(List.of()), List::of))
            .scope(ALL_ROLES, NO_API, onCluster(Action.CONN_POOL_STATS), NO_TRANSACTION),
        of(
                "dropConnections",
                ADMIN,
                "close connections to other nodes",
                new DropConnectionsCommand(
                    hosts -> set.ifPresent(each -> each.nodes().dropConnections(hosts))))
            .scope(ALL_ROLES, NO_API, onCluster(Action.DROP_CONNECTIONS), NO_TRANSACTION)
            .onAdmin(),
        of(
                "applyOps",
                WRITE,
                "apply entries of an oplog",
                services.ofStore(store -> new ApplyOpsCommand(store, services.profiling())))
            .scope(STORING_ROLES, NO_API, onArguments(Action.APPLY_OPS), NO_TRANSACTION));
  }

  /** A command that writes to the oplog, which only a member of a set has. */
  private CommandSpec oplog(
      String name, Action action, String help, Function<OplogControl, Command> command) {
    return of(
            name,
            DEFINITION,
            help,
            control.map(present -> command.apply(services.store().oplog())).orElse(STANDALONE))
        .scope(STORING_ROLES, NO_API, onCluster(action), NO_TRANSACTION)
        .onAdmin();
  }

  private CommandSpec row(
      String name, Action action, String help, Function<MemberCommands, Command> command) {
    return member(
        name, action, help, present -> command.apply(new MemberCommands(present, configServer)));
  }

  private CommandSpec member(
      String name, Action action, String help, Function<ReplicaSetControl, Command> command) {
    return of(name, ADMIN, help, control.map(command).orElse(STANDALONE))
        .scope(STORING_ROLES, NO_API, onCluster(action), NO_TRANSACTION)
        .onAdmin();
  }

  private static final Command STANDALONE =
      (request, context, reply) -> {
        throw new CommandException(
            ErrorCode.NO_REPLICATION_ENABLED,
            request.name().equals("replSetInitiate")
                ? "This node was not started with replication enabled."
                : "not running with --replSet");
      };
}
