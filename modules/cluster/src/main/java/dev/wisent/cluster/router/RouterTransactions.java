package dev.wisent.cluster.router;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.ShardCall;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private static final String TRANSIENT = "TransientTransactionError";

  private final ShardCalls calls;
  private final RouterTimes times;
  private final SnapshotKeeper snapshots;
  private final Clock clock;
  private final Map<SessionId, Known> bySession = new ConcurrentHashMap<>();

  private record Known(RoutedTransaction transaction, long sinceNanos) {}

  RouterTransactions(ShardCalls calls, RouterTimes times, SnapshotKeeper snapshots, Clock clock) {
    this.calls = calls;
    this.times = times;
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
      forgetOld();
      var begun = new RoutedTransaction(id, readConcern(request, operation));
      bySession.put(id.session(), new Known(begun, clock.monotonicNanos()));
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

  /**
   * What all shards begin with. Where a snapshot is asked for, they all read at one time, which is
   * the newest that this router knows.
   */
  RawDocument readConcern(CommandRequest request, OperationContext operation) {
    RawDocument given = request.readConcern();
    if (given == null) {
      return RawDocument.EMPTY;
    }
    RawValue level = given.get("level");
    boolean snapshot = level != null && level.isString() && level.asString().equals("snapshot");
    if (!snapshot || given.get("atClusterTime") != null) {
      return given.detached();
    }
    snapshots.use(operation);
    long time = times.newest();
    if (time == 0) {
      return given.detached();
    }
    RawValue after = given.get("afterClusterTime");
    if (after != null
        && after.type() == ElementType.TIMESTAMP
        && Long.compareUnsigned(after.asInt64(), time) > 0) {
      time = after.asInt64();
    }
    var out = new BsonBuilder(given.length() + 32);
    out.appendAll(given.without(Set.of("afterClusterTime")));
    return out.appendTimestamp("atClusterTime", time).toDocument();
  }

  /** Ends a transaction on all shards that take part in it, as far as they can be reached. */
  void abort(RoutedTransaction transaction) {
    transaction.abort();
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
    if (bySession.size() > CHECKED_FROM) {
      long oldest = clock.monotonicNanos() - KEPT_NANOS;
      bySession.values().removeIf(known -> known.sinceNanos - oldest < 0);
    }
  }
}
