package dev.wisent.cluster.router.diagnostic;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.diagnostic.CurrentOpCommand;
import dev.wisent.server.command.diagnostic.CurrentOperations;
import dev.wisent.server.command.diagnostic.DiagnosticTable;
import dev.wisent.server.command.diagnostic.HandshakeTable;
import dev.wisent.server.command.diagnostic.ServerStatusCommand;
import dev.wisent.server.command.replication.ConnPoolStatsCommand;
import dev.wisent.server.command.replication.DropConnectionsCommand;
import dev.wisent.server.command.replication.ReplicationTable;
import dev.wisent.server.privilege.Principal;
import dev.wisent.sharding.RoutingCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The rows of diagnostic commands that a router answers in its own way. */
public final class DiagnosticRows {
  private static final Set<String> TOLD = Set.of("endSessions", "refreshSessions");
  private static final Set<String> KILLS =
      Set.of("killSessions", "killAllSessions", "killAllSessionsByPattern");

  private final ServerServices services;
  private final RoutingCatalog catalog;
  private final AllShards shards;
  private final ShardOperations operations;
  private final RouterNetwork network;
  private final Map<String, ServerStatusCommand.Section> sections;
  private final Consumer<OperationContext> concernsChanged;

  /**
   * @param sections of {@code serverStatus} that only routers have
   * @param concernsChanged told after the default concerns of the cluster were set
   */
  public DiagnosticRows(
      ServerServices services,
      RoutingCatalog catalog,
      AllShards shards,
      RouterNetwork network,
      Map<String, ServerStatusCommand.Section> sections,
      Consumer<OperationContext> concernsChanged) {
    this.services = services;
    this.catalog = catalog;
    this.shards = shards;
    this.operations = new ShardOperations(shards);
    this.network = network;
    this.sections = sections;
    this.concernsChanged = concernsChanged;
  }

  public List<CommandSpec> rows() {
    var rows = new ArrayList<CommandSpec>();
    for (CommandSpec row : DiagnosticTable.all(services, here(services))) {
      Command own = ownOf(row);
      if (own != null) {
        rows.add(row.running(own).alsoOn(NodeRole.ROUTER));
      }
    }
    var sessions = new ShardSessions(shards);
    for (CommandSpec row : HandshakeTable.all(services)) {
      if (TOLD.contains(row.name())) {
        rows.add(sessions.toldTo(row));
      } else if (KILLS.contains(row.name())) {
        rows.add(sessions.doneBy(row));
      }
    }
    for (CommandSpec row : ReplicationTable.all(services)) {
      Command own = ownOfSets(row);
      if (own != null) {
        rows.add(row.running(own));
      }
    }
    rows.add(
        CommandSpec.of(
                "setDefaultRWConcern",
                CommandKind.ADMIN,
                "change the default concerns of the cluster",
                this::setConcerns)
            .scope(
                Set.of(NodeRole.ROUTER),
                NO_API,
                onCluster(Action.SET_DEFAULT_RW_CONCERN),
                NO_TRANSACTION)
            .withWriteConcern()
            .onAdmin());
    rows.add(
        CommandSpec.of(
                "getDefaultRWConcern",
                CommandKind.ADMIN,
                "the default concerns of the config servers",
                this::askConfigServers)
            .scope(
                Set.of(NodeRole.ROUTER),
                NO_API,
                onCluster(Action.GET_DEFAULT_RW_CONCERN),
                NO_TRANSACTION)
            .onAdmin());
    return rows;
  }

  /** Null for what is the same as everywhere, or not for routers. */
  private Command ownOfSets(CommandSpec row) {
    return switch (row.name()) {
      case "connPoolStats" -> new ConnPoolStatsCommand(network::connections, network::sets);
      case "dropConnections" -> new DropConnectionsCommand(network::dropConnections);
      case "appendOplogNote" -> this::appendNote;
      case "getClusterParameter" -> this::askConfigServers;
      case "setClusterParameter" -> this::setParameter;
      case "replSetGetStatus" ->
          (request, context, reply) -> {
            throw new CommandException(
                ErrorCode.COMMAND_FAILED, "replSetGetStatus is not supported through mongos");
          };
      default -> null;
    };
  }

  private void askConfigServers(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<String> config = List.of(ShardCalls.CONFIG);
    ShardReply.appendResult(
        shards.call(context.operation(), config, "admin", arguments(request)).getFirst().get(),
        reply);
  }

  private void setConcerns(CommandRequest request, CommandContext context, BsonBuilder reply) {
    askConfigServers(request, context, reply);
    concernsChanged.accept(context.operation());
  }

  /** On the config servers, which keep it, and then on every other shard. */
  private void setParameter(CommandRequest request, CommandContext context, BsonBuilder reply) {
    askConfigServers(request, context, reply);
    List<String> names =
        shards.names(context.operation()).stream()
            .filter(name -> !name.equals(ShardCalls.CONFIG))
            .toList();
    shards.call(context.operation(), names, "admin", arguments(request)).forEach(ShardReply::get);
  }

  /** Into the oplog of every shard. */
  private void appendNote(CommandRequest request, CommandContext context, BsonBuilder reply) {
    List<String> names = shards.names(context.operation());
    shards.appendRaw(shards.call(context.operation(), names, "admin", arguments(request)), reply);
  }

  /** The command with its own arguments, which other nodes check. */
  private static RawDocument arguments(CommandRequest request) {
    var command = new BsonBuilder().append(request.name(), request.argument());
    ArgumentReader own = ArgumentReader.of(request);
    while (own.next()) {
      command.append(own.name(), own.value());
    }
    return command.toDocument();
  }

  /** What runs on this router itself. */
  public static CurrentOperations here(ServerServices services) {
    return new CurrentOperations(
        services.operations(),
        services.clients(),
        services.cursors(),
        services.transactions(),
        null,
        services.connectedPort());
  }

  private Command ownOf(CommandSpec row) {
    var lock = new LockShards(shards);
    return switch (row.name()) {
      case "serverStatus" -> new ServerStatusCommand(services, "mongos", sections);
      case "currentOp" -> new CurrentOpCommand(this::running, () -> false);
      case "killOp" -> new KillShardOperation(row.command(), catalog, shards);
      case "top" -> new ShardTimes(shards);
      case "fsync" -> lock::lock;
      case "fsyncUnlock" -> lock::unlock;
      default -> null;
    };
  }

  private List<RawDocument> running(
      OperationContext asking, boolean idleConnections, Principal onlyOf) {
    return operations.list(
        asking,
        new BsonBuilder()
            .appendBoolean("allUsers", true)
            .appendBoolean("idleConnections", idleConnections)
            .toDocument(),
        onlyOf);
  }
}
