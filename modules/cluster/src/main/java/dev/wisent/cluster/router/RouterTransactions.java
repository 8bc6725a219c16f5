package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.TransactionCounts;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The transactions whose statements come to this router: the newest of each session, also for a
 * while after its end. Thread-safe.
 */
final class RouterTransactions {
  /** Longer than a transaction lives on a shard, and than a client repeats its commit. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);

  private static final int CHECKED_FROM = 10_000;

  /** A shard that does not hear of an abort ends its part when its lifetime is over. */
  private static final long ABORT_MILLIS_MAX = 5_000;

  /** The cause of the end of one that its client has left. */
  private static final String LEFT = ErrorCode.TRANSACTION_TOO_OLD.codeName();

  private static final String TRANSIENT = "TransientTransactionError";

  private final ShardCalls calls;
  private final SnapshotTimes snapshots;
  private final Clock clock;
  private final TransactionCounts counts = new TransactionCounts();
  private final Map<SessionId, Known> bySession = new ConcurrentHashMap<>();

  private record Known(RoutedTransaction transaction, long sinceNanos) {}

  RouterTransactions(ShardCalls calls, SnapshotTimes snapshots, Clock clock) {
    this.calls = calls;
    this.snapshots = snapshots;
    this.clock = clock;
  }

  /** The transaction of a statement, which may begin it. */
  RoutedTransaction of(CommandRequest request, OperationContext operation) {
    TransactionId id = request.transaction();
    Known known = bySession.get(id.session());
    long newest = known == null ? -1 : known.transaction.id().number();
    if (newest > id.number()) {
      throw new CommandException(
          ErrorCode.TRANSACTION_TOO_OLD,
          "txnNumber %d is less than last txnNumber %d seen in session %s"
              .formatted(id.number(), newest, id.session()));
    }
    if (request.startsTransaction()) {
      if (newest == id.number()) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "txnNumber %d for session %s already started".formatted(newest, id.session()));
      }
      if (bySession.size() > CHECKED_FROM) {
        forgetOld();
      }
      var begun = new RoutedTransaction(id, readConcern(request, operation), counts);
      Known before = bySession.put(id.session(), new Known(begun, clock.monotonicNanos()));
      if (before != null) {
        before.transaction.abort(LEFT);
      }
      return begun;
    }
    if (newest < id.number()) {
      throw new CommandException(
          ErrorCode.NO_SUCH_TRANSACTION,
          "cannot continue txnId %d for session %s with txnId %d"
              .formatted(newest, id.session(), id.number()));
    }
    if (known.transaction.isAborted()) {
      throw aborted(id);
    }
    return known.transaction;
  }

  static CommandException aborted(TransactionId id) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction with { txnNumber: " + id.number() + " } has been aborted.",
        List.of(TRANSIENT));
  }

  /** Null where no statement of it has come here. */
  RoutedTransaction find(TransactionId id) {
    Known known = bySession.get(id.session());
    return known != null && known.transaction.id().equals(id) ? known.transaction : null;
  }

  /** What all shards begin with. */
  RawDocument readConcern(CommandRequest request, OperationContext operation) {
    RawDocument fixed = snapshots.fixed(request.readConcern(), operation);
    return fixed == null ? RawDocument.EMPTY : fixed.detached();
  }

  /** Ends a transaction on all shards that take part in it, as far as they can be reached. */
  void abort(RoutedTransaction transaction, ErrorCode cause) {
    transaction.abort(cause.codeName());
    abortParts(transaction);
  }

  void abortParts(RoutedTransaction transaction) {
    OperationContext own = OperationContext.internal(clock);
    own.limitMillis(ABORT_MILLIS_MAX);
    var started = new ArrayList<ShardCall>();
    try {
      for (String shard : transaction.participants()) {
        var command = new BsonBuilder(160).appendInt32("abortTransaction", 1);
        appendId(command, transaction.id());
        started.add(calls.start(own, ShardRequest.control(shard, "admin", command.toDocument())));
      }
      for (ShardCall call : started) {
        // That it has ended there already is an answer too.
        var unused = call.await(own);
      }
    } catch (CommandException e) {
      started.forEach(ShardCall::cancel);
    }
  }

  static void appendId(BsonBuilder command, TransactionId id) {
    command.appendDocument("lsid", id.session().document());
    command.appendInt64("txnNumber", id.number());
    command.appendBoolean("autocommit", false);
  }

  private void forgetOld() {
    long oldest = clock.monotonicNanos() - KEPT_NANOS;
    bySession
        .values()
        .removeIf(
            known -> {
              boolean old = known.sinceNanos - oldest < 0;
              if (old) {
                known.transaction.abort(LEFT);
              }
              return old;
            });
  }

  /** The section {@code transactions} of serverStatus. */
  void append(BsonBuilder out) {
    forgetOld();
    long open = 0;
    long active = 0;
    for (Known known : bySession.values()) {
      open += known.transaction.isOpen() ? 1 : 0;
      active += known.transaction.isOpen() && known.transaction.isActive() ? 1 : 0;
    }
    counts.append(open, active, out);
  }

  /** What is counted of one whose statements another router has run. */
  TransactionCounts counts() {
    return counts;
  }
}
