package dev.wisent.database.session;

import dev.wisent.database.OperationContext;
import dev.wisent.database.write.WriteGate;
import dev.wisent.storage.StorageEngine;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Runs retryable writes: those of one session one after the other, so that a retry finds what the
 * attempt before it did, and waits for it where it is still at work. Thread-safe.
 *
 * <p>A writer is inside the gate before it looks at the session's record, and until its batch is
 * over: another member cannot have become the primary, and done the same, in between.
 */
public final class RetryableWrites {
  private final StorageEngine storage;
  private final WriteGate gate;
  private final ConcurrentHashMap<SessionId, Turn> turns = new ConcurrentHashMap<>();

  /** Whose turn it is in a session. */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private int users; // changed only within the map's compute
  }

  public RetryableWrites(StorageEngine storage, WriteGate gate) {
    this.storage = storage;
    this.gate = gate;
  }

  /** Runs a batch of an operation that is a retryable write. */
  public <T> T run(OperationContext operation, Supplier<T> batch) {
    RetryableWrite write = operation.retryableWrite();
    return inTurn(
        write.session(),
        operation,
        () -> {
          write.load(storage);
          return batch.get();
        });
  }

  private <T> T inTurn(SessionId session, OperationContext operation, Supplier<T> work) {
    gate.enter(operation);
    try {
      Turn turn = turns.compute(session, (id, present) -> joined(present));
      try {
        operation.acquire(turn.lock);
        try {
          return work.get();
        } finally {
          turn.lock.unlock();
        }
      } finally {
        turns.compute(session, (id, present) -> left(present));
      }
    } finally {
      gate.leave();
    }
  }

  private static Turn joined(Turn present) {
    Turn turn = present == null ? new Turn() : present;
    turn.users++;
    return turn;
  }

  private static Turn left(Turn turn) {
    turn.users--;
    return turn.users == 0 ? null : turn;
  }
}
