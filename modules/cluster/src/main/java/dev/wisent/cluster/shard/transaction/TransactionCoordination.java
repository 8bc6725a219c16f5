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
import dev.wisent.cluster.coordinator.PrimaryTerm;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ServerServices;
import dev.wisent.server.node.DataNode;
import dev.wisent.server.operation.BackgroundOperation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The commits of several shards that this shard coordinates while it is the primary. */
public final class TransactionCoordination implements AutoCloseable {
  private final DataNode node;
  private final Transactions transactions;
  private final ClusterCalls calls;
  private final CommitOutcomes outcomes = new CommitOutcomes();
  private final PrimaryTerm term;
  private final BackgroundLoop leading;

  /** Set before the first command. */
  private Coordinators coordinators;

  public TransactionCoordination(DataNode node, ReplicaSet set, Ownership ownership) {
    this.node = node;
    this.transactions = node.transactions();
    this.calls = new ClusterCalls(node, ownership);
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
  }

  /** To be called once, before the first command. */
  public void open(ServerServices services) {
    var store =
        new CatalogStore(node.operations(), node.transactions(), node.clock(), node.random());
    coordinators =
        new Coordinators(
            List.of(new CommitCoordinator(calls::get, outcomes)),
            new CoordinatorDocuments(store),
            (point, operation) -> {
              if (services.failPoints().crashesAt(point, operation)) {
                throw new CoordinatorCrashException(point);
              }
            },
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
                node.log().of(LogComponent.TRANSACTION)));
  }

  public BackgroundLoop job() {
    return leading;
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
    CompletableFuture<Boolean> decision = outcomes.expect(resource);
    try {
      if (run == null) {
        run = coordinators.start(CommitCoordinator.TYPE, resource, arguments(id, participants));
      }
      if (!outcomes.await(decision, run, operation)) {
        throw aborted(id);
      }
    } finally {
      outcomes.forget(resource);
    }
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
    transactions.abort(operation, id);
    throw aborted(id);
  }

  static CommandException aborted(TransactionId id) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction with { txnNumber: " + id.number() + " } has been aborted.");
  }

  @Override
  public void close() {
    term.close();
    calls.close();
  }
}
