package dev.wisent.server.cursor;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A cursor that a client may come back to. One command at a time uses it. */
public final class OpenCursor {
  private final long id;
  private final Namespace namespace;
  private final ResultCursor results;
  private final RawValue sessionId;
  private final TransactionId transaction;
  private final boolean neverTimesOut;
  private final CursorOrigin origin;
  private final long createdNanos;
  private OperationContext user; // guarded by the registry; null while the cursor is not in use
  private boolean killed; // guarded by the registry
  private long lastUseNanos; // guarded by the registry
  private final AtomicLong documents;
  private final AtomicLong batches = new AtomicLong(1);

  OpenCursor(
      long id,
      Namespace namespace,
      ResultCursor results,
      RawValue sessionId,
      TransactionId transaction,
      boolean neverTimesOut,
      CursorOrigin origin,
      long createdNanos) {
    this.id = id;
    this.namespace = namespace;
    this.results = results;
    this.sessionId = sessionId;
    this.transaction = transaction;
    this.neverTimesOut = neverTimesOut;
    this.origin = origin;
    this.createdNanos = createdNanos;
    this.lastUseNanos = createdNanos;
    this.documents = new AtomicLong(origin.documents());
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

  /** The transaction that the cursor belongs to; null for one outside of transactions. */
  public TransactionId transaction() {
    return transaction;
  }

  /** Whether the cursor was opened in a session that fits. */
  public boolean isOfSession(Predicate<SessionId> condition) {
    return sessionId != null && condition.test(SessionId.of(sessionId.asDocument()));
  }

  public boolean neverTimesOut() {
    return neverTimesOut;
  }

  public CursorOrigin origin() {
    return origin;
  }

  /** Notes a batch; for the one who uses the cursor. */
  public void returned(long documentsMore) {
    documents.addAndGet(documentsMore);
    batches.incrementAndGet();
  }

  CursorRegistry.Progress progress() {
    return new CursorRegistry.Progress(
        this, createdNanos, lastUseNanos, documents.get(), batches.get());
  }

  boolean isUsedBy(OperationContext operation) {
    return user == operation;
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
