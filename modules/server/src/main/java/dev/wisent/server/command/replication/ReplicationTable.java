package dev.wisent.server.command.replication;

import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandKind.WRITE;
import static dev.wisent.server.command.CommandSpec.of;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.LocalDatabase;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.replication.member.Heartbeat;
import dev.wisent.replication.member.JoinRequest;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The rows of the command table that are about the replica set. */
public final class ReplicationTable {
  private final ServerServices services;
  private final Optional<ReplicaSetControl> control;
  private final Optional<ReplicaSet> set;

  private ReplicationTable(ServerServices services) {
    this.services = services;
    this.control = services.replicaSetControl();
    this.set = services.replicaSet();
  }

  public static List<CommandSpec> all(ServerServices services) {
    return new ReplicationTable(services).rows();
  }

  private List<CommandSpec> rows() {
    return List.of(
        row("replSetInitiate", "begin a replica set", commands -> commands::initiate),
        member("replSetReconfig", "change the set", ReplSetReconfigCommand::new),
        of(
                "replSetGetConfig",
                ADMIN,
                "the configuration of the set",
                set.filter(present -> control.isPresent())
                    .<Command>map(ReplSetGetConfigCommand::new)
                    .orElse(STANDALONE))
            .onAdmin(),
        member("replSetGetStatus", "how the members are", ReplSetGetStatusCommand::new),
        member("replSetStepDown", "be primary no longer", ReplSetStepDownCommand::new),
        row("replSetStepUp", "become primary", commands -> commands::stepUp),
        row("replSetFreeze", "do not stand for election", commands -> commands::freeze),
        row("replSetMaintenance", "serve no reads", commands -> commands::maintenance),
        row("replSetSyncFrom", "whom to follow", commands -> commands::syncFrom),
        row(
            "replSetAbortPrimaryCatchUp",
            "do not wait for old writes",
            commands -> commands::abortCatchUp),
        row("replSetGetRBID", "between members", commands -> commands::rollbackId),
        row("replSetRequestVotes", "between members", commands -> commands::requestVotes),
        row(Heartbeat.COMMAND, "between members", commands -> commands::heartbeat),
        row(JoinRequest.COMMAND, "between members", commands -> commands::join),
        row("replSetUpdatePosition", "between members", commands -> commands::updatePosition),
        oplog("replSetResizeOplog", "how large the oplog may be", ReplSetResizeOplogCommand::new),
        oplog("appendOplogNote", "write a note into the oplog", AppendOplogNoteCommand::new),
        of("connPoolStats", ADMIN, "connections to other nodes", new ConnPoolStatsCommand(control)),
        of(
                "dropConnections",
                ADMIN,
                "close connections to other nodes",
                new DropConnectionsCommand(control))
            .onAdmin(),
        of("applyOps", WRITE, "apply entries of an oplog", new ApplyOpsCommand(services)));
  }

  /** A command that writes to the oplog, which only a member of a set has. */
  private CommandSpec oplog(String name, String help, Function<LocalDatabase, Command> command) {
    return of(
            name,
            DEFINITION,
            help,
            control.map(present -> command.apply(services.database().shared())).orElse(STANDALONE))
        .onAdmin();
  }

  private CommandSpec row(String name, String help, Function<MemberCommands, Command> command) {
    return member(name, help, present -> command.apply(new MemberCommands(present)));
  }

  private CommandSpec member(
      String name, String help, Function<ReplicaSetControl, Command> command) {
    return of(name, ADMIN, help, control.map(command).orElse(STANDALONE)).onAdmin();
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
