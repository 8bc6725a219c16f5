package dev.wisent.database.session;

import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets the operations of one session run one after the other: retryable writes and statements of
 * transactions. A turn is taken before the write gate is entered. Thread-safe.
 */
public final class SessionTurns {
  private final ConcurrentHashMap<SessionId, Turn> turns = new ConcurrentHashMap<>();

  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private int users; // changed only within the map's compute
  }

  /** Runs something when no other operation of the session runs. */
  public <T> T run(SessionId session, OperationContext operation, Supplier<T> work) {
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
  }

  /**
   * Runs something in the turn of a session when nothing of it is undecided, and no transaction
   * moves a document for it.
   */
  public <T> T runAfterMove(
      SessionId session,
      OperationContext operation,
      RetryableWrites.OtherUse otherUse,
      Supplier<T> work) {
    while (true) {
      otherUse.awaitDecided(session, operation);
      boolean[] ended = {false};
      T result =
          run(
              session,
              operation,
              () -> {
                ended[0] = otherUse.endMove(session);
                return ended[0] ? work.get() : null;
              });
      if (ended[0]) {
        return result;
      }
      // A commit has the turn of its session.
      run(session.ofMoves(), operation, () -> null);
    }
  }

  /** Takes the turn if no operation of the session runs; to be followed by {@link #end}. */
  boolean tryBegin(SessionId session) {
    Turn turn = turns.compute(session, (id, present) -> joined(present));
    if (turn.lock.tryLock()) {
      return true;
    }
    turns.compute(session, (id, present) -> left(present));
    return false;
  }

  void end(SessionId session) {
    turns.get(session).lock.unlock();
    turns.compute(session, (id, present) -> left(present));
  }

  /** The sessions that have operations that run or wait. */
  Set<SessionId> sessions() {
    return Set.copyOf(turns.keySet());
  }

  /** How many sessions have operations that run or wait. */
  int size() {
    return turns.size();
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
