package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.CoordinatorCrashException;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.cluster.coordinator.PhasePoints;
import dev.wisent.cluster.coordinator.PrimaryTerm;
import dev.wisent.cluster.coordinator.TermWrites;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ServerServices;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.operation.BackgroundOperation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** The commits of several shards that this shard coordinates while it is the primary. */
public final class TransactionCoordination implements AutoCloseable {
  private static final Duration ASK_PERIOD = Duration.ofMillis(250);

  private final DataNode node;
  private final ReplicaSet set;
  private final Ownership ownership;
  private final Transactions transactions;
  private final ClusterCalls calls;
  private final CommitOutcomes outcomes = new CommitOutcomes();
  private final CommitFigures figures = new CommitFigures();
  private final PrimaryTerm term;
  private final BackgroundLoop leading;
  private final BackgroundLoop asking;
  private final PreparedParts prepared;

  /** Held where a commit begins, and where one is closed that has not begun; by transaction. */
  private final ReentrantLock[] beginning = new ReentrantLock[64];

  // Set before the first command and the first turn of a loop.
  private Coordinators coordinators;
  private CoordinatorDocuments documents;
  private PhasePoints points;

  public TransactionCoordination(
      DataNode node, ReplicaSet set, Ownership ownership, ClusterCalls calls) {
    this.node = node;
    this.set = set;
    this.ownership = ownership;
    this.transactions = node.transactions();
    Arrays.setAll(beginning, i -> new ReentrantLock());
    this.calls = calls;
    this.term =
        new PrimaryTerm(
            set,
            new PrimaryTerm.Work() {
              @Override
              public void begin() {
                coordinators.begin(OperationContext.internal(node.clock()));
              }

              @Override
              public void end() {
                coordinators.end();
              }
            });
    this.leading = node.loops().loop("transaction-coordinators", term::turn);
    this.prepared =
        new PreparedParts(
            transactions,
            set,
            calls::get,
            figures,
            node.clock(),
            node.log().of(LogComponent.TRANSACTION));
    this.asking = node.loops().every(ASK_PERIOD, "prepared-transactions", this::ask);
  }

  /** To be called once, before the first command. */
  public void open(ServerServices services) {
    points =
        (point, operation) -> {
          if (services.failPoints().crashesAt(point, operation)) {
            throw new CoordinatorCrashException(point);
          }
        };
    documents =
        new CoordinatorDocuments(
            new CatalogStore(node.operations(), transactions, node.clock(), node.random()),
            new TermWrites(node.database().shared().writeGate()),
            figures);
    coordinators =
        new Coordinators(
            List.of(new CommitCoordinator(calls::get, this::shardName, outcomes, figures)),
            documents,
            points,
            (description, namespace, operation) -> {
              BackgroundOperation shown =
                  services
                      .operations()
                      .startInBackground(description, "command", namespace, operation);
              return () -> services.operations().end(shown);
            },
            new Coordinators.Node(
                node.clock(),
                node.loops().scheduler(),
                node.random(),
                node.log().of(LogComponent.TRANSACTION),
                services.store().store()::faultOf));
  }

  private String shardName() {
    return ownership.tables().identity().get("shardName").asString();
  }

  private void ask() {
    points.reach("preparedParts.ask", OperationContext.internal(node.clock()));
    prepared.turn();
  }

  /** What it has done, and does. */
  public CommitFigures figures() {
    return figures;
  }

  public List<BackgroundLoop> jobs() {
    return List.of(leading, asking);
  }

  /**
   * Commits a transaction on shards; asked again, it gives the first answer.
   *
   * @param participants empty to learn the outcome of one that has written here
   */
  void commit(OperationContext operation, TransactionId id, List<String> participants) {
    term.await(operation);
    String resource = resource(id);
    CompletableFuture<RawDocument> run = coordinators.find(CommitCoordinator.TYPE, resource);
    if (run == null && (participants.isEmpty() || transactions.isCommitted(operation, id))) {
      requireCommitted(operation, id);
      return;
    }
    CompletableFuture<Long> decision = outcomes.expect(resource);
    try {
      if (run == null) {
        run = begin(operation, resource, arguments(id, participants));
      }
      if (!outcomes.await(decision, run, operation)) {
        throw aborted(id);
      }
    } finally {
      outcomes.forget(resource);
    }
  }

  private CompletableFuture<RawDocument> begin(
      OperationContext operation, String resource, RawDocument arguments) {
    ReentrantLock lock = beginning(resource);
    operation.acquire(lock);
    try {
      return coordinators.start(CommitCoordinator.TYPE, resource, arguments);
    } finally {
      lock.unlock();
    }
  }

  private ReentrantLock beginning(String resource) {
    return beginning[Math.floorMod(resource.hashCode(), beginning.length)];
  }

  private static String resource(TransactionId id) {
    return id.session().document().toJson() + "/" + id.number();
  }

  private static RawDocument arguments(TransactionId id, List<String> participants) {
    var out = new BsonBuilder(256).appendDocument("lsid", id.session().document());
    out.appendInt64("txnNumber", id.number()).startArray("participants");
    for (int i = 0; i < participants.size(); i++) {
      out.appendString(Integer.toString(i), participants.get(i));
    }
    return out.end().toDocument();
  }

  /** Ends a part that has no outcome: no coordinator knows of it. */
  private void requireCommitted(OperationContext operation, TransactionId id) {
    if (transactions.isCommitted(operation, id)) {
      // Has the write concern wait for the commit.
      transactions.commit(operation, id);
      return;
    }
    TransactionOutcome outcome;
    try {
      // What is not prepared here cannot have been decided to commit.
      outcome = outcome(operation, id, true);
    } catch (CommandException e) {
      if (e.code() == ErrorCode.TRANSACTION_TOO_OLD) {
        set.confirmPrimary(operation);
      }
      throw e;
    }
    switch (outcome.kind()) {
      case COMMIT -> transactions.commit(operation, id);
      case ABORT, UNKNOWN -> throw aborted(id);
      // A commit that has begun meanwhile.
      case UNDECIDED -> commit(operation, id, List.of());
    }
  }

  /**
   * What came of a transaction that this shard coordinates. One whose commit is not under way here
   * and has not ended with a commit is aborted first, for good: neither can its commit begin after
   * the answer, nor can it be prepared here.
   *
   * @throws CommandException TransactionTooOld where the session has gone on, and its commit was
   *     forgotten: all shards have said that they have the outcome
   */
  TransactionOutcome outcome(OperationContext operation, TransactionId id) {
    return outcome(operation, id, false);
  }

  /**
   * @param abortStopped whether one is aborted, too, whose commit has stopped undecided, and goes
   *     on in the next term
   */
  private TransactionOutcome outcome(
      OperationContext operation, TransactionId id, boolean abortStopped) {
    term.await(operation);
    String resource = resource(id);
    ReentrantLock lock = beginning(resource);
    operation.acquire(lock);
    try {
      boolean runs = coordinators.find(CommitCoordinator.TYPE, resource) != null;
      TransactionOutcome stored = documents.decision(operation, resource);
      boolean undecided = stored == null || stored.equals(TransactionOutcome.UNDECIDED);
      if (!undecided) {
        return stored;
      }
      if (runs || (stored != null && !abortStopped)) {
        return TransactionOutcome.UNDECIDED;
      }
      transactions.abortDecided(operation, id);
      return TransactionOutcome.ABORTED;
    } catch (CommandException e) {
      return ended(e, operation);
    } finally {
      lock.unlock();
    }
  }

  /** What an error of an abort says, if that holds on the member that leads. */
  private TransactionOutcome ended(CommandException error, OperationContext operation) {
    return switch (error.code()) {
      case TRANSACTION_COMMITTED -> TransactionOutcome.committed(0);
      case NO_SUCH_TRANSACTION -> {
        set.confirmPrimary(operation);
        yield TransactionOutcome.ABORTED;
      }
      default -> throw error;
    };
  }

  static CommandException aborted(TransactionId id) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction with { txnNumber: " + id.number() + " } has been aborted.");
  }

  @Override
  public void close() {
    term.close();
  }
}
