package dev.wisent.server.cursor;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.database.session.SessionId;
import java.util.function.Predicate;

/** A cursor that a client may come back to. One command at a time uses it. */
public final class OpenCursor {
  private final long id;
  private final Namespace namespace;
  private final ResultCursor results;
  private final RawValue sessionId;
  private final boolean neverTimesOut;
  private OperationContext user; // guarded by the registry; null while nobody uses the cursor
  private boolean killed; // guarded by the registry
  private long lastUseNanos; // guarded by the registry

  OpenCursor(
      long id,
      Namespace namespace,
      ResultCursor results,
      RawValue sessionId,
      boolean neverTimesOut) {
    this.id = id;
    this.namespace = namespace;
    this.results = results;
    this.sessionId = sessionId;
    this.neverTimesOut = neverTimesOut;
  }

  public long id() {
    return id;
  }

  public Namespace namespace() {
    return namespace;
  }

  public ResultCursor results() {
    return results;
  }

  /** The session that opened the cursor; null if it had none. */
  public RawValue sessionId() {
    return sessionId;
  }

  /** Whether the cursor was opened in a session that fits. */
  public boolean isOfSession(Predicate<SessionId> condition) {
    return sessionId != null && condition.test(SessionId.of(sessionId.asDocument()));
  }

  public boolean neverTimesOut() {
    return neverTimesOut;
  }

  boolean inUse() {
    return user != null;
  }

  void user(OperationContext operation) {
    user = operation;
  }

  boolean killed() {
    return killed;
  }

  void kill() {
    killed = true;
    if (user != null) {
      user.kill(ErrorCode.CURSOR_KILLED);
    }
  }

  long lastUseNanos() {
    return lastUseNanos;
  }

  void usedAt(long nanos) {
    lastUseNanos = nanos;
  }
}
