package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Runs the calls of donors one at a time and in their order. A call whose connection broke may run
 * after it was repeated and others followed: it is refused, for it would undo what these did. Where
 * none has followed it gets the reply of its repetition and does nothing: it could be interrupted
 * half-way, and no other call would complete it. That is known in memory only, as no call outlives
 * the process that has received it, and none writes in another term. Thread-safe.
 */
public final class CallOrder {
  /** Of more donors than take part in migrations at a time. */
  private static final int DONORS_MAX = 10_000;

  private final WriteGate gate;
  private final Map<Object, Turn> turns = // guarded by this
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Turn> eldest) {
          return size() > DONORS_MAX;
        }
      };

  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private CallNumber last = new CallNumber(0, 0); // guarded by the lock

    /** What the last call replied; null while it is not done. Guarded by the lock. */
    private RawDocument reply;
  }

  public CallOrder(WriteGate gate) {
    this.gate = gate;
  }

  /**
   * Runs a call, unless it was done or a later one was here before.
   *
   * @param donor what the number belongs to
   * @param call adds its fields to the reply
   */
  public void run(
      OperationContext operation,
      Object donor,
      CallNumber number,
      Consumer<BsonBuilder> call,
      BsonBuilder reply) {
    operation.writes().onlyInTerm(gate.closings());
    Turn turn;
    synchronized (this) {
      turn = turns.computeIfAbsent(donor, any -> new Turn());
    }
    operation.acquire(turn.lock);
    try {
      int order = number.compareTo(turn.last);
      if (order < 0) {
        throw new CommandException(
            ErrorCode.OPERATION_FAILED, "a later call of the donor has come before this one");
      }
      if (order > 0 || turn.reply == null) {
        turn.last = number;
        turn.reply = null;
        var fields = new BsonBuilder();
        call.accept(fields);
        turn.reply = fields.toDocument();
      }
      reply.appendAll(turn.reply);
    } finally {
      turn.lock.unlock();
    }
  }
}
