package dev.wisent.server.harness;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.backup.NodeBackups;
import dev.wisent.database.definition.NodeDefinitions;
import dev.wisent.database.diagnostic.NodeDiagnostics;
import dev.wisent.database.diagnostic.NodeOplog;
import dev.wisent.database.diagnostic.NodePlanCaches;
import dev.wisent.database.diagnostic.NodeVirtualReads;
import dev.wisent.database.diagnostic.StoreControl;
import dev.wisent.operation.transaction.NoTransactions;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.command.table.CommandTable;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectedClients;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.dispatch.CommandDispatcher;
import dev.wisent.server.dispatch.CommandInterceptor;
import dev.wisent.server.dispatch.CommandRegistry;
import dev.wisent.server.dispatch.NodeCommandRunner;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import dev.wisent.server.message.LoginLimits;
import dev.wisent.server.message.MessageHandler;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.profile.ProfileSettings;
import dev.wisent.server.session.SessionRegistry;
import dev.wisent.server.topology.TopologyIdentity;
import dev.wisent.server.transaction.ClientTransactions;
import dev.wisent.server.transaction.TransactionLog;
import dev.wisent.server.transport.ConnectionCounts;
import dev.wisent.server.ttl.TtlMonitor;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.types.ObjectId;

/**
 * The commands of a member of a {@link FakeReplicaSet}, without sockets: its log is local, and
 * every mutation gets a cluster time as it would in a real set.
 */
public final class MemberServer implements AutoCloseable {
  private final FakeReplicaSet set;
  private final StorageEngine storage;
  private final CommitLog log;
  private final OperationRegistry operations = new OperationRegistry();
  private final ServerServices services;
  private final CommandDispatcher dispatcher;
  private final MovableClock clock = new MovableClock();
  private final NodeBackups backups;
  private volatile boolean diskIsFull;
  private volatile CountDownLatch held = new CountDownLatch(0);
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile CountDownLatch heldSyncs = new CountDownLatch(0);
  private final AtomicInteger waitingForSync = new AtomicInteger();
  private final ClientConnection client;

  public MemberServer(Path directory, FakeReplicaSet set) {
    this(directory, set, new NoTransactions(), line -> {});
  }

  /**
   * One with transactions of a test.
   *
   * @param lines gets what is logged
   */
  public MemberServer(
      Path directory, FakeReplicaSet set, Transactions transactions, Consumer<String> lines) {
    this(directory, set, transactions, lines, TestAccess.open());
  }

  /** One that may ask for logins, and then has no test commands. */
  public MemberServer(
      Path directory,
      FakeReplicaSet set,
      Transactions transactions,
      Consumer<String> lines,
      AccessControl access) {
    this.set = set;
    RandomSource random = RandomSource.system();
    BackgroundLoops loops = BackgroundLoops.silent();
    ServerOptions options =
        ServerOptions.builder(directory)
            .setParameter("enableTestCommands", access.isEnabled() ? "0" : "1")
            .build();
    var serverLog = new ServerLog(lines::accept, clock);
    var memory = MessageMemory.ofHeap(clock);
    this.client =
        new ClientConnection(1, "127.0.0.1:1", "127.0.0.1:2", new OperationMemory(memory));
    this.storage = StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
    this.log = new TimedLog(LocalCommitLog.start(storage, loops));
    LocalDatabase database = LocalDatabase.open(storage, log, clock, random);
    NodeDatabase node = NodeDatabase.standalone(database);
    this.backups = NodeBackups.open(node, clock, () -> diskIsFull);
    var cursors = new CursorRegistry(clock, new SplittableRandom(1));
    var profiling = new ProfileSettings(options.profiling(), clock, random);
    this.services =
        new ServerServices(
            options,
            clock,
            random,
            serverLog,
            node,
            access,
            TlsState.off(),
            AuditLog.NONE,
            new ClientTransactions(
                transactions,
                cursors,
                new TransactionLog(profiling, serverLog.of(LogComponent.TRANSACTION))),
            Optional.of(
                new StoreServices(
                    new NodeDefinitions(node),
                    new NodeDiagnostics(node),
                    new NodePlanCaches(node),
                    new StoreControl(node),
                    new NodeOplog(node),
                    new NodeVirtualReads(node),
                    backups,
                    Optional.of(set),
                    Optional.empty())),
            Optional.empty(),
            cursors,
            new SessionRegistry(clock),
            operations,
            new ConnectedClients(),
            new ServerMetrics(),
            memory,
            new TopologyIdentity(new ObjectId()),
            new FailPoints(),
            new RequestSettings(options.noTableScan()),
            new BalancerParameters(),
            profiling,
            Optional.of(
                new TtlMonitor(
                    new StoreControl(node),
                    operations,
                    clock,
                    loops,
                    serverLog.of(LogComponent.INDEX))),
            loops,
            () -> {},
            () -> new ConnectionCounts(0, 0, 0, 0, 0, 0),
            () -> 30_000);
    this.dispatcher =
        new CommandDispatcher(
            new CommandRegistry(CommandTable.all(NodeRole.DATA_NODE, services, List.of())),
            services,
            new NodeCommandRunner(services, CommandInterceptor.NONE));
  }

  /** The rows of the command table for a node of some role. */
  public List<CommandSpec> commands(NodeRole role) {
    return CommandTable.all(role, services, List.of());
  }

  /** The handler of a connection's messages. */
  public MessageHandler messages(ClientConnection connection) {
    Log log = services.log().of(LogComponent.NETWORK);
    var limits = new LoginLimits(services.access().isEnabled(), services.clients(), clock, log);
    return new MessageHandler(
        connection, dispatcher, services.metrics(), log, new AtomicInteger(), limits);
  }

  /** Runs a command, {@code $db} included or else in the test database. */
  public BsonDocument run(String json) {
    return run(json, null, () -> false);
  }

  /**
   * Runs a command.
   *
   * @param early gets the reply that is sent before the command has ended, if there is one
   */
  public BsonDocument run(String json, Consumer<BsonDocument> early) {
    return run(json, early, () -> false);
  }

  /** Runs a command of a client that may leave meanwhile. */
  public BsonDocument run(String json, BooleanSupplier left) {
    return run(json, null, left);
  }

  private BsonDocument run(String json, Consumer<BsonDocument> early, BooleanSupplier left) {
    BsonDocument command = BsonDocument.parse(json);
    if (!command.containsKey("$db")) {
      command.append("$db", new BsonString("test"));
    }
    var reply = new BsonBuilder();
    CommandRequest request = CommandRequest.of(RawDocument.of(command), List.of(), false);
    dispatcher.dispatch(
        request, client, left, early == null ? null : body -> early.accept(document(body)), reply);
    return reply.toDocument().toBsonDocument();
  }

  private static BsonDocument document(Consumer<BsonBuilder> body) {
    var document = new BsonBuilder();
    body.accept(document);
    return document.toDocument().toBsonDocument();
  }

  /** Has commits wait to be applied until a latch is open. */
  public void holdCommits(CountDownLatch latch) {
    held = latch;
  }

  /** Whether a command waits for its commit. */
  public boolean isCommitAwaited() {
    return waiting.get() > 0;
  }

  /** Has commits wait for the disk until a latch is open. */
  public void holdSyncs(CountDownLatch latch) {
    heldSyncs = latch;
  }

  /** Whether a command waits for the disk. */
  public boolean isSyncAwaited() {
    return waitingForSync.get() > 0;
  }

  /** Has operations see that this much time has passed. */
  public void pass(Duration time) {
    clock.ahead.addAndGet(time.toNanos());
  }

  /** Has open backups look at a disk that is full, or has space again. */
  public void fillDisk(boolean full) {
    diskIsFull = full;
    backups.giveUpIfFull();
  }

  public OperationRegistry operations() {
    return operations;
  }

  @Override
  public void close() {
    set.close();
    log.close();
    storage.close();
  }

  /** The machine's clock, but that tests make durations longer than they were. */
  private static final class MovableClock implements Clock {
    private final AtomicLong ahead = new AtomicLong();

    @Override
    public long wallMillis() {
      return Clock.system().wallMillis();
    }

    @Override
    public long monotonicNanos() {
      return Clock.system().monotonicNanos() + ahead.get();
    }
  }

  /** Gives each mutation a time, and says that this member has applied it. */
  private final class TimedLog implements CommitLog {
    private final CommitLog inner;

    TimedLog(CommitLog inner) {
      this.inner = inner;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      CommitFuture commit = inner.submit(mutation);
      long time = set.clock().tick();
      set.applied(0, time);
      return new CommitFuture() {
        @Override
        public void awaitApplied() {
          try {
            held.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          commit.awaitApplied();
        }

        @Override
        public boolean awaitApplied(long timeoutNanos) throws InterruptedException {
          waiting.incrementAndGet();
          try {
            return held.await(timeoutNanos, TimeUnit.NANOSECONDS);
          } finally {
            waiting.decrementAndGet();
          }
        }

        @Override
        public void awaitDurable() {
          commit.awaitDurable();
        }

        @Override
        public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
          waitingForSync.incrementAndGet();
          try {
            return heldSyncs.await(timeoutNanos, TimeUnit.NANOSECONDS);
          } finally {
            waitingForSync.decrementAndGet();
          }
        }

        @Override
        public long position() {
          return commit.position();
        }

        @Override
        public long timestamp() {
          return time;
        }
      };
    }

    @Override
    public void sync() {
      inner.sync();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
