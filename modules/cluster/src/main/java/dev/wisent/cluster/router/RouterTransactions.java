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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The transactions whose statements come to this router: the newest of each session, also for a
 * while after its end. The more there are, the sooner those that have ended are forgotten: a commit
 * that is sent again then asks the shard that its recovery token names. Thread-safe.
 */
final class RouterTransactions {
  /** Longer than a transaction lives on a shard, and than a client repeats its commit. */
  private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(30);

  private static final int COUNT_MAX = 100_000;

  /** From so many on it is looked for old ones, with a begin. */
  private static final int CHECKED_FROM = 10_000;

  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long those that have ended stay from then on, counted from their begin. */
  private static final long ENDED_KEPT_NANOS = TimeUnit.MINUTES.toNanos(2);

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
  private final int countMax;
  private final AtomicLong checkedNanos;

  private record Known(RoutedTransaction transaction, long sinceNanos) {
    private boolean hasEnded() {
      return !transaction.isOpen() && !transaction.isActive();
    }
  }

  RouterTransactions(ShardCalls calls, SnapshotTimes snapshots, Clock clock) {
    this(calls, snapshots, clock, COUNT_MAX);
  }

  /**
   * @param countMax how many sessions may have one
   */
  RouterTransactions(ShardCalls calls, SnapshotTimes snapshots, Clock clock, int countMax) {
    this.calls = calls;
    this.snapshots = snapshots;
    this.clock = clock;
    this.countMax = countMax;
    this.checkedNanos = new AtomicLong(clock.monotonicNanos() - CHECK_NANOS);
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
      if (known == null) {
        makeRoom();
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

  /** Fails where too many sessions have one. */
  private void makeRoom() {
    int count = bySession.size();
    if (count < Math.min(CHECKED_FROM, countMax)) {
      return;
    }
    long now = clock.monotonicNanos();
    long checked = checkedNanos.get();
    if (now - checked >= CHECK_NANOS && checkedNanos.compareAndSet(checked, now)) {
      forgetOld(now, count < countMax / 2 ? ENDED_KEPT_NANOS : 0);
    }
    if (bySession.size() >= countMax) {
      throw new CommandException(
          ErrorCode.TOO_MANY_LOGICAL_SESSIONS,
          "cannot start a transaction: %d sessions have one on this router".formatted(countMax),
          List.of(TRANSIENT));
    }
  }

  /**
   * @param endedNanos how long those stay that have ended
   */
  private void forgetOld(long now, long endedNanos) {
    forgetIf(
        known -> {
          long age = now - known.sinceNanos;
          return age > KEPT_NANOS || (age >= endedNanos && known.hasEnded());
        });
  }

  /**
   * Forgets the transactions of sessions that end; returns how many were open. The shards end their
   * parts as they learn of it, or when the lifetime is over.
   */
  int forget(Predicate<SessionId> sessions) {
    return forgetIf(known -> sessions.test(known.transaction.id().session()));
  }

  private int forgetIf(Predicate<Known> condition) {
    int open = 0;
    for (Map.Entry<SessionId, Known> each : bySession.entrySet()) {
      Known known = each.getValue();
      if (condition.test(known) && bySession.remove(each.getKey(), known)) {
        open += known.transaction.isOpen() ? 1 : 0;
        known.transaction.abort(LEFT);
      }
    }
    return open;
  }

  /** The section {@code transactions} of serverStatus. */
  void append(BsonBuilder out) {
    forgetOld(clock.monotonicNanos(), KEPT_NANOS);
    long open = 0;
    long active = 0;
    for (Known known : bySession.values()) {
      open += known.transaction.isOpen() ? 1 : 0;
      active += known.transaction.isOpen() && known.transaction.isActive() ? 1 : 0;
    }
    counts.append(open, active, out);
  }

  /** Of how many sessions one is known. */
  int size() {
    return bySession.size();
  }

  /** What is counted of one whose statements another router has run. */
  TransactionCounts counts() {
    return counts;
  }
}
