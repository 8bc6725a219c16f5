package dev.wisent.server;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.Operations;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.server.command.CollectionUuids;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.connection.ConnectedClients;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.profile.ProfileSettings;
import dev.wisent.server.session.SessionRegistry;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.server.transaction.ClientTransactions;
import dev.wisent.server.transport.ConnectionCounts;
import dev.wisent.server.ttl.TtlMonitor;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What commands are made from; each takes what it needs.
 *
 * @param access whether clients need privileges, and the users that have some
 * @param audit told what is done; {@link AuditLog#NONE} where no log is kept
 * @param tls which connections are encrypted
 * @param stored what only roles with a store have
 * @param scriptEngine runs functions in JavaScript; empty where that is off
 * @param ttlMonitor only where there is a store
 */
public record ServerServices(
    ServerOptions options,
    Clock clock,
    RandomSource random,
    ServerLog log,
    Operations database,
    AccessControl access,
    TlsState tls,
    AuditLog audit,
    ClientTransactions transactions,
    Optional<StoreServices> stored,
    Optional<ScriptEngine> scriptEngine,
    CursorRegistry cursors,
    SessionRegistry sessions,
    OperationRegistry operations,
    ConnectedClients clients,
    ServerMetrics metrics,
    MessageMemory messageMemory,
    TopologyIdentity topology,
    FailPoints failPoints,
    RequestSettings requestSettings,
    BalancerParameters balancer,
    ProfileSettings profiling,
    Optional<TtlMonitor> ttlMonitor,
    BackgroundLoops loops,
    Runnable shutdown,
    Supplier<ConnectionCounts> connections,
    IntSupplier connectedPort) {
  private static final Command NOT_HERE =
      (request, context, reply) -> {
        throw new CommandException(
            ErrorCode.COMMAND_NOT_SUPPORTED, request.name() + " is not supported by this role");
      };

  /**
   * A command that works on a store. A role without one has its row all the same, and answers it in
   * another way or refuses it.
   */
  public Command ofStore(Function<StoreServices, Command> command) {
    return stored.map(command).orElse(NOT_HERE);
  }

  /** Collections by UUID, which shards look up for a router. */
  public CollectionUuids uuids() {
    return new CollectionUuids(stored.map(StoreServices::definitions).orElse(null));
  }

  /** Fails with a message where a name is that of a view; shards know the views of a router. */
  public BiConsumer<Namespace, String> viewRefusal() {
    return stored
        .<BiConsumer<Namespace, String>>map(store -> store.diagnostics()::refuseView)
        .orElse((namespace, message) -> {});
  }

  /** What a role with a store has; not for others. */
  public StoreServices store() {
    return stored.orElseThrow();
  }

  /** The set that this node was started for; empty for any other. */
  public Optional<ReplicaSet> replicaSet() {
    return stored.flatMap(StoreServices::replicaSet);
  }
}
