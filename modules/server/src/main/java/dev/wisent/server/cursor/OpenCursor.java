package dev.wisent.server.cursor;

import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;
import dev.wisent.database.operation.ResultCursor;

/** A cursor that a client may come back to. One command at a time uses it. */
public final class OpenCursor {
  private final long id;
  private final Namespace namespace;
  private final ResultCursor results;
  private final RawValue sessionId;
  private final boolean neverTimesOut;
  private boolean inUse; // guarded by the registry
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

  public boolean neverTimesOut() {
    return neverTimesOut;
  }

  boolean inUse() {
    return inUse;
  }

  void inUse(boolean now) {
    inUse = now;
  }

  boolean killed() {
    return killed;
  }

  void kill() {
    killed = true;
  }

  long lastUseNanos() {
    return lastUseNanos;
  }

  void usedAt(long nanos) {
    lastUseNanos = nanos;
  }
}
