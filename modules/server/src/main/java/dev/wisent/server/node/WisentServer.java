package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.ObjectIds;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.StoreServices;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.audit.AuditLogs;
import dev.wisent.server.authentication.MemberLogin;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.command.diagnostic.GetCmdLineOptsCommand;
import dev.wisent.server.command.table.CommandTable;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectedClients;
import dev.wisent.server.connection.ConnectionLog;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.dispatch.CommandDispatcher;
import dev.wisent.server.dispatch.CommandRegistry;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.message.CommandConnection;
import dev.wisent.server.message.LoginLimits;
import dev.wisent.server.message.MessageHandler;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.script.ScriptMemory;
import dev.wisent.server.script.ScriptWatch;
import dev.wisent.server.session.SessionReaper;
import dev.wisent.server.session.SessionRegistry;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.server.transaction.ClientTransactions;
import dev.wisent.server.transaction.TransactionLog;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.server.transport.ConnectionCounts;
import dev.wisent.server.transport.ConnectionHandler;
import dev.wisent.server.transport.ListenException;
import dev.wisent.server.transport.Transport;
import dev.wisent.server.transport.TransportOptions;
import dev.wisent.server.ttl.TtlMonitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of any role: commands, and the sockets in front of them. */
public final class WisentServer implements AutoCloseable {
  private static final int STARTING_LOG_ID = 4_615_611;
  private static final int READY_LOG_ID = 23016;
  private static final int LISTENING_LOG_ID = 23015;
  private static final int SHUTDOWN_LOG_ID = 20565;
  private static final int CLOSE_FAILED_LOG_ID = 9_000_412;

  private final ServerLog serverLog;
  private final Log log;
  private final ServerRole role;
  private final AuditLog audit;
  private final LoginLimits loginLimits;
  private final OperationRegistry operations = new OperationRegistry();
  private final ConnectedClients clients = new ConnectedClients();
  private final ServerMetrics metrics = new ServerMetrics();
  private final MessageMemory messageMemory;
  private final TopologyIdentity topology;
  private final CommandDispatcher dispatcher;
  private final CursorRegistry cursors;
  private final ClientTransactions transactions;
  private final Optional<TtlMonitor> ttlMonitor;
  private final ScriptWatch scriptWatch;
  private final ScriptEngine scriptEngine;
  private final Transport transport;
  private final ChangeableSettings settings;
  private final List<BackgroundLoop> periodic = new ArrayList<>();
  private final AtomicInteger requestIds = new AtomicInteger();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Error brokenInvariant;

  private WisentServer(
      ServerOptions options,
      Clock clock,
      RandomSource random,
      ServerLog serverLog,
      TopologyIdentity topology,
      BackgroundLoops loops,
      AccessParts parts,
      ServerRole role)
      throws ListenException {
    this.serverLog = serverLog;
    this.log = serverLog.of(LogComponent.CONTROL);
    this.topology = topology;
    this.role = role;
    this.messageMemory = MessageMemory.ofHeap(clock);
    this.cursors = new CursorRegistry(clock, random);
    this.scriptWatch = new ScriptWatch(new ScriptMemory(), loops);
    this.scriptEngine =
        options.scripting() ? new ScriptEngine(scriptWatch, ServerVersion.COMPATIBLE_WITH) : null;
    var sessions = new SessionRegistry(clock);
    this.settings = ChangeableSettings.of(options, clock, random);
    role.connect(messageMemory, settings.failPoints());
    Optional<StoreServices> stored = role.stored();
    this.ttlMonitor =
        stored.map(
            store ->
                new TtlMonitor(
                    store.store(), operations, clock, loops, serverLog.of(LogComponent.INDEX)));
    this.transactions =
        new ClientTransactions(
            role.transactions(),
            cursors,
            new TransactionLog(settings.profiling(), serverLog.of(LogComponent.TRANSACTION)));
    AccessControl access = parts.control(options, role.operations(), clock, serverLog);
    this.audit = AuditLogs.open(options.audit(), access.users(), clock, random, serverLog);
    var services =
        new ServerServices(
            options,
            clock,
            random,
            serverLog,
            role.operations(),
            access,
            parts.tls(),
            audit,
            transactions,
            stored,
            Optional.ofNullable(scriptEngine),
            cursors,
            sessions,
            operations,
            clients,
            metrics,
            messageMemory,
            topology,
            settings.failPoints(),
            new RequestSettings(options.noTableScan()),
            new BalancerParameters(),
            settings.profiling(),
            ttlMonitor,
            loops,
            this::shutdownSoon,
            this::connectionCounts,
            this::port);
    var commands = CommandTable.all(role.kind(), services, role.commands(services));
    this.dispatcher =
        new CommandDispatcher(new CommandRegistry(commands), services, role.runner(services));
    this.loginLimits =
        new LoginLimits(
            services.access().isEnabled(), clients, clock, serverLog.of(LogComponent.ACCESS));
    this.transport =
        Transport.open(
            TransportOptions.listeningOn(options.bindAddresses(), options.port())
                .withIpv6(options.ipv6())
                .withTls(parts.tls())
                .withConnectionsMax(ConnectionLimit.of(options.maxConnections())),
            this::opened,
            messageMemory,
            new ConnectionLog(serverLog.of(LogComponent.NETWORK)),
            loops);
    periodic.add(
        loops.every(
            Duration.ofSeconds(CursorRegistry.CHECK_SECONDS), "idle-cursors", cursors::closeIdle));
    periodic.add(
        loops.every(
            Duration.ofSeconds(ClientTransactions.CHECK_SECONDS),
            "expired-transactions",
            transactions::abortExpired));
    var reaper =
        new SessionReaper(
            sessions,
            cursors,
            operations,
            transactions,
            stored.map(StoreServices::store).orElse(null),
            clock,
            serverLog.of(LogComponent.CONTROL));
    periodic.add(
        loops.every(
            Duration.ofSeconds(SessionReaper.INTERVAL_SECONDS), "idle-sessions", reaper::run));
    periodic.add(
        loops.every(
            Duration.ofSeconds(LoginLimits.CHECK_SECONDS),
            "overdue-logins",
            loginLimits::closeOverdue));
    periodic.addAll(role.jobs());
    periodic.forEach(BackgroundLoop::start);
    ttlMonitor.ifPresent(TtlMonitor::start);
  }

  /** How a program calls servers with these options: as they call each other. */
  public static MemberConnections connectionsTo(ServerOptions options) {
    return MemberLogin.connections(options.access(), options.tls(), RandomSource.system());
  }

  /** Opens the data directory and starts to serve it. */
  public static WisentServer start(ServerOptions options, ServerLog serverLog)
      throws ListenException {
    return start(options, serverLog, DataNodeAssembly::open);
  }

  /** Starts a server of a role. */
  public static WisentServer start(
      ServerOptions options, ServerLog serverLog, ServerRole.Opener opener) throws ListenException {
    Clock clock = Clock.system();
    RandomSource random = RandomSource.system();
    var topology = new TopologyIdentity(new ObjectIds(clock, random).get());
    Log control = serverLog.of(LogComponent.CONTROL);
    serverLog.redact(options.redactsClientData());
    control.info(
        STARTING_LOG_ID,
        "Wisent starting",
        "pid",
        ProcessHandle.current().pid(),
        "port",
        options.port(),
        "dbPath",
        options.dbPath().toString(),
        "architecture",
        "64-bit",
        "host",
        HostNames.local(),
        "version",
        ServerVersion.WISENT,
        "compatibleWith",
        ServerVersion.COMPATIBLE_WITH);
    var port = new AtomicInteger();
    var broken = new CompletableFuture<Error>();
    var loops = new BackgroundLoops(clock, serverLog.of(LogComponent.CONTROL), broken::complete);
    AccessParts access = AccessParts.open(options, random);
    ServerRole role =
        opener.open(
            options, topology, clock, random, serverLog, loops, port::get, access.members());
    WisentServer server;
    try {
      server = new WisentServer(options, clock, random, serverLog, topology, loops, access, role);
    } catch (RuntimeException | Error | ListenException e) {
      role.close();
      throw e;
    }
    port.set(server.port());
    var unused = broken.thenAccept(server::stopBroken);
    try {
      role.start();
      AuditLogs.started(server.audit, GetCmdLineOptsCommand.document(options));
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
    new StartupWarnings(options, control).write();
    CertificateExpiry.warn(access.tls(), clock, control);
    Log network = serverLog.of(LogComponent.NETWORK);
    for (String address : server.transport.addresses()) {
      network.info(LISTENING_LOG_ID, "Listening on", "address", address);
    }
    network.info(
        READY_LOG_ID,
        "Waiting for connections",
        "port",
        server.port(),
        "ssl",
        options.tls().isOn() ? "on" : "off");
    return server;
  }

  /** The commands that this node has, sorted by name. */
  public List<CommandSpec> commands() {
    return dispatcher.commands();
  }

  /** Fail points and profiling are as at the start again. */
  public void resetSettings() {
    settings.reset();
  }

  public int port() {
    return transport.port();
  }

  /** How many changes the log brought back after a crash; empty if there was none. */
  public OptionalLong recoveredChanges() {
    return role.recoveredChanges();
  }

  private ConnectionCounts connectionCounts() {
    return transport.counts();
  }

  private ConnectionHandler opened(ConnectionContext connection) {
    var client = new ClientConnection(connection, new OperationMemory(messageMemory));
    loginLimits.opened(client);
    clients.opened(client);
    return new CommandConnection(
        connection,
        new MessageHandler(
            client,
            dispatcher,
            metrics,
            serverLog.of(LogComponent.NETWORK),
            requestIds,
            loginLimits),
        () -> operations.wakeOf(client),
        () -> {
          clients.closed(client);
          AuditLogs.gone(audit, client);
        });
  }

  /** Waits until the server is closed, by whomever. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /** For the shutdown command, which runs on a connection that the shutdown waits for. */
  private void shutdownSoon() {
    Thread.ofPlatform().name("shutdown").start(this::close);
  }

  private void stopBroken(Error error) {
    brokenInvariant = error;
    shutdownSoon();
  }

  /** What a background loop has found and this server has stopped for, if so. */
  public Optional<Error> brokenInvariant() {
    return Optional.ofNullable(brokenInvariant);
  }

  private void closeScripts() {
    scriptWatch.close();
    if (scriptEngine != null) {
      scriptEngine.close();
    }
  }

  /** Stops accepting, ends what is running, and closes the data directory. */
  @Override
  public void close() {
    close(role::resign);
  }

  /** As {@link #close}, when the other members of the set end at the same time. */
  public void closeWithSet() {
    close(() -> {});
  }

  private void close(Runnable resign) {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    log.info(SHUTDOWN_LOG_ID, "Shutting down");
    AuditLogs.stopping(audit);
    try {
      resign.run();
      transport.stopAccepting();
      topology.close();
      operations.killAll(ErrorCode.INTERRUPTED_AT_SHUTDOWN);
      transport.close();
      closeScripts();
      ttlMonitor.ifPresent(TtlMonitor::close);
      periodic.forEach(BackgroundLoop::stop);
      periodic.forEach(BackgroundLoop::join);
      transactions.abortOf(session -> true);
      cursors.killAll(cursor -> true);
    } finally {
      closeRole();
      audit.close();
      log.info(SHUTDOWN_LOG_ID, "Shutdown complete");
      closed.countDown();
    }
  }

  /** What cannot be written out, because the disk is full, is in the log: as after a crash. */
  private void closeRole() {
    try {
      role.close();
    } catch (RuntimeException e) {
      log.error(CLOSE_FAILED_LOG_ID, "The data could not be closed in good order", e);
    }
  }
}
