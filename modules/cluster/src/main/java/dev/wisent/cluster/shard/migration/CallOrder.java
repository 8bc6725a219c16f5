package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.operation.OperationContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the calls of donors one at a time and in their order. A call whose connection broke may run
 * after it was repeated and others followed: it is refused, for it would undo what these did. That
 * is known in memory only, as no call outlives the process that has received it. Thread-safe.
 */
public final class CallOrder {
  /** Of more donors than take part in migrations at a time. */
  private static final int DONORS_MAX = 10_000;

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
  }

  /**
   * Runs a call, unless a later one was here before.
   *
   * @param donor what the number belongs to
   */
  public void run(OperationContext operation, Object donor, CallNumber number, Runnable call) {
    Turn turn;
    synchronized (this) {
      turn = turns.computeIfAbsent(donor, any -> new Turn());
    }
    operation.acquire(turn.lock);
    try {
      if (number.compareTo(turn.last) < 0) {
        throw new CommandException(
            ErrorCode.OPERATION_FAILED, "a later call of the donor has come before this one");
      }
      turn.last = number;
      call.run();
    } finally {
      turn.lock.unlock();
    }
  }
}
