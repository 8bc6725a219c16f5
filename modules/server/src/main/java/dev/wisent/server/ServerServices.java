package dev.wisent.server;

import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.operation.Operations;
import dev.wisent.operation.VirtualReads;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.ReplicaSetControl;
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
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What commands are made from; each takes what it needs.
 *
 * @param replicaSet the set that this node was started for; empty for a standalone
 * @param scriptEngine runs functions in JavaScript; empty where that is off
 * @param replicaSetControl what can be done to this node as a member of it; empty likewise
 */
public record ServerServices(
    ServerOptions options,
    Clock clock,
    ServerLog log,
    Operations database,
    ClientTransactions transactions,
    Definitions definitions,
    Diagnostics diagnostics,
    PlanCaches planCaches,
    NodeStore store,
    OplogControl oplog,
    VirtualReads virtualReads,
    Optional<ScriptEngine> scriptEngine,
    Optional<ReplicaSet> replicaSet,
    Optional<ReplicaSetControl> replicaSetControl,
    CursorRegistry cursors,
    SessionRegistry sessions,
    OperationRegistry operations,
    ConnectedClients clients,
    ServerMetrics metrics,
    MessageMemory messageMemory,
    TopologyIdentity topology,
    FailPoints failPoints,
    RequestSettings requestSettings,
    ProfileSettings profiling,
    TtlMonitor ttlMonitor,
    BackgroundLoops loops,
    Runnable shutdown,
    Supplier<ConnectionCounts> connections,
    IntSupplier connectedPort) {}
