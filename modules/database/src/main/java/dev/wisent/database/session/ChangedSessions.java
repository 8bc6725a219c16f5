package dev.wisent.database.session;

import dev.wisent.operation.SessionId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The sessions whose records may have changed since they were asked for the last time. Those that
 * are at work are always among them. Thread-safe.
 */
public final class ChangedSessions implements AutoCloseable {
  private final SessionTurns turns;
  private final Consumer<ChangedSessions> closed;
  private final Set<SessionId> changed = ConcurrentHashMap.newKeySet();

  /** Those of transactions that move a document: their commit writes the record at some time. */
  private final Set<SessionId> moving = ConcurrentHashMap.newKeySet();

  ChangedSessions(SessionTurns turns, Consumer<ChangedSessions> closed) {
    this.turns = turns;
    this.closed = closed;
  }

  /** In the turn of the session, after its record was written. */
  void changed(SessionId session) {
    changed.add(session);
  }

  void moves(SessionId session) {
    moving.add(session);
  }

  /** Those since the last time. */
  public Set<SessionId> take() {
    // First those at work: one that has left its turn by now was noted before.
    var taken = new HashSet<>(turns.sessions());
    taken.addAll(moving);
    for (SessionId session : changed) {
      // Noted again after this, it is given once more.
      if (changed.remove(session)) {
        taken.add(session);
      }
    }
    return taken;
  }

  /** Has sessions given once more. */
  public void putBack(Set<SessionId> taken) {
    changed.addAll(taken);
  }

  @Override
  public void close() {
    closed.accept(this);
  }
}
