package dev.wisent.cluster.shard;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.server.command.CommandRequest;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs what coordinators of the config servers ask of this shard, one call of a run at a time and
 * in the order of their numbers. A message may be late: its connection broke, the coordinator has
 * sent it again, and has gone on. A late {@code drop} would drop the next collection of that name.
 * So the number of the newest call is stored before the call runs, and an earlier one is refused,
 * also by the next primary. A call belongs to the term in which it arrived. Thread-safe.
 */
final class CoordinatorCalls {
  private final TableRows rows;
  private final RowExpiry expiry;
  private final WriteGate gate;
  private final ConcurrentHashMap<UUID, Turn> turns = new ConcurrentHashMap<>();

  CoordinatorCalls(Operations documents, WriteGate gate, Clock clock) {
    this.rows = new TableRows(documents);
    this.expiry = new RowExpiry(rows, Ownership.CALLS, clock);
    this.gate = gate;
  }

  /** The calls of one run. */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private int calls; // changed by the map only
    private volatile Running running; // written with the lock held

    private record Running(CallNumber number, OperationContext operation) {}

    /** The coordinator has given up an earlier call that still runs. */
    void begin(CallNumber number, OperationContext operation) {
      operation.await(
          timeoutNanos -> {
            Running earlier = running;
            if (earlier != null && earlier.number.compareTo(number) < 0) {
              earlier.operation.kill(ErrorCode.INTERRUPTED);
            }
            return lock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
          });
      running = new Running(number, operation);
    }

    void end() {
      running = null;
      lock.unlock();
    }
  }

  /** Runs a command, of a coordinator or not. */
  void run(CommandRequest request, OperationContext operation, Runnable command) {
    RawDocument routing = request.routing();
    RawValue coordinator = routing == null ? null : routing.get("coordinator");
    if (coordinator == null) {
      command.run();
      return;
    }
    RawValue id = coordinator.isDocument() ? coordinator.asDocument().get("id") : null;
    if (id == null || !id.isUuid()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "'routing.coordinator' needs an id and a number");
    }
    operation.writes().onlyInTerm(gate.closings());
    runInTurn(id, CallNumber.of(coordinator.asDocument()), operation, command);
  }

  private void runInTurn(
      RawValue id, CallNumber number, OperationContext operation, Runnable command) {
    Turn turn = join(id.asUuid());
    try {
      turn.begin(number, operation);
      try {
        store(operation, id, number);
        command.run();
      } finally {
        turn.end();
      }
    } finally {
      leave(id.asUuid());
    }
  }

  private Turn join(UUID id) {
    return turns.compute(
        id,
        (any, there) -> {
          Turn turn = there == null ? new Turn() : there;
          turn.calls++;
          return turn;
        });
  }

  private void leave(UUID id) {
    turns.computeIfPresent(id, (any, turn) -> --turn.calls == 0 ? null : turn);
  }

  private void store(OperationContext operation, RawValue id, CallNumber number) {
    RawDocument newest =
        rows.find(operation, Ownership.CALLS, new BsonBuilder().append("_id", id).toDocument());
    if (newest != null && number.compareTo(CallNumber.of(newest)) <= 0) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "a later call of the coordinator has come before this one");
    }
    var row = number.appendFields(new BsonBuilder().append("_id", id));
    rows.replace(operation, Ownership.CALLS, expiry.stamp(row).toDocument());
    expiry.purge(operation);
  }
}
