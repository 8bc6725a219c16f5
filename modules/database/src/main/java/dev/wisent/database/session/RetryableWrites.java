package dev.wisent.database.session;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs retryable writes: those of one session one after the other, so that a retry finds what the
 * attempt before it did, and waits for it where it is still at work. Thread-safe.
 *
 * <p>A writer is inside the gate before it looks at the session's record, and until its batch is
 * over: another member cannot have become the primary, and done the same, in between.
 */
public final class RetryableWrites {
  private static final int REMOVED_TOGETHER = 200;

  private final StorageEngine storage;
  private final CommitLog log;
  private final WriteGate gate;
  private final RetryCounts counts = new RetryCounts();
  private final SessionTurns turns;
  private final OtherUse otherUse;
  private final SessionCopies copies;

  /** What sessions do beside retryable writes. */
  public interface OtherUse {
    SessionTurns turns();

    /** Waits for what the session has to end first. */
    void awaitDecided(SessionId session, OperationContext operation);

    /** Is told of each write in the turn of its session; refuses it by throwing. */
    void beforeRetryableWrite(RetryableWrite write);

    /**
     * Ends a transaction that moves a document for a write of the session, in the session's turn: a
     * retry takes its place. False where it commits, which is to be waited for outside of the turn.
     */
    boolean endMove(SessionId session);
  }

  public RetryableWrites(StorageEngine storage, CommitLog log, WriteGate gate, OtherUse otherUse) {
    this.storage = storage;
    this.log = log;
    this.gate = gate;
    this.turns = otherUse.turns();
    this.otherUse = otherUse;
    this.copies = new SessionCopies(storage, log, gate, otherUse);
  }

  /** What gives the records of sessions to other shards. */
  public SessionCopies copies() {
    return copies;
  }

  /** Runs a batch of an operation that is a retryable write, or part of one. */
  public <T> T run(OperationContext operation, Supplier<T> batch) {
    if (operation.retryableWrite() == null) {
      return runInTransaction(operation, batch);
    }
    RetryableStatements write = OperationState.statements(operation);
    return inTurn(
        operation.retryableWrite(),
        operation,
        () -> {
          int retriedBefore = write.retried();
          int recordedBefore = write.recorded();
          write.load(storage);
          try {
            if (operation.retryableWrite().isRegistration()) {
              register(write, operation);
            }
            return batch.get();
          } finally {
            copies.changed(write.session());
            counts.add(
                retriedBefore == 0 && write.retried() > 0,
                write.retried() - retriedBefore,
                write.recorded() - recordedBefore);
          }
        });
  }

  private void register(RetryableStatements write, OperationContext operation) {
    var mutation = new MutationBuilder();
    if (!write.register(mutation)) {
      return;
    }
    boolean applied = false;
    try {
      CommitFuture commit = log.submit(mutation.build());
      OperationState.awaitApplied(commit, operation);
      OperationState.committed(operation, commit);
      applied = true;
    } finally {
      if (applied) {
        write.committed();
      } else {
        write.rolledBack();
      }
    }
  }

  /**
   * Runs a batch of a transaction that is a part of a retryable write. What it adds to the record
   * of the session is committed with the transaction; every other write of the session ends the
   * transaction first, or waits for its end.
   */
  private <T> T runInTransaction(OperationContext operation, Supplier<T> batch) {
    RetryableWrite write = OperationState.moveOf(operation);
    RetryableStatements statements = OperationState.statements(operation);
    return turns.run(
        write.session(),
        operation,
        () -> {
          otherUse.beforeRetryableWrite(write);
          copies.moves(write.session());
          statements.load(storage);
          T result = batch.get();
          var mutation = new MutationBuilder();
          statements.write(mutation);
          if (!mutation.isEmpty()) {
            OperationState.scope(operation).add(mutation.build());
          }
          return result;
        });
  }

  /** How often writes were retried. */
  public RetryCounts counts() {
    return counts;
  }

  /** How many sessions write at the moment. */
  public int sessionsAtWork() {
    return turns.size();
  }

  /**
   * The records as {@code config.transactions} shows them. The place of the last write in the oplog
   * is not among what is recorded.
   */
  public List<RawDocument> records() {
    var documents = new ArrayList<RawDocument>();
    byte[] end = SessionRecord.KEYS.clone();
    end[end.length - 1]++;
    try (KeyValueCursor records = storage.cursor(Keyspace.SYSTEM, SessionRecord.KEYS, end, false)) {
      while (records.next()) {
        if (SessionRecord.isSessionKey(records.key(), records.keyLength())) {
          SessionRecord record = SessionRecord.decode(records.copyValue());
          SessionId session = SessionRecord.sessionOf(records.key(), records.keyLength());
          documents.add(record.shown(session));
        }
      }
    }
    return documents;
  }

  private <T> T inTurn(RetryableWrite write, OperationContext operation, Supplier<T> work) {
    return turns.runAfterMove(
        write.session(),
        operation,
        otherUse,
        () -> {
          gate.enter(operation);
          try {
            otherUse.beforeRetryableWrite(write);
            return work.get();
          } finally {
            gate.leave();
          }
        });
  }

  /**
   * Removes the records of sessions whose last write was before a time: no client will send those
   * writes again. Returns how many there were.
   */
  public int removeOlder(long beforeMillis, OperationContext operation) {
    int removed = 0;
    byte[] from = SessionRecord.KEYS;
    while (from != null) {
      var old = new ArrayList<SessionId>();
      from = collectOlder(beforeMillis, from, old, operation);
      if (!old.isEmpty()) {
        gate.enter(operation);
        try {
          removed += remove(old, beforeMillis);
        } finally {
          gate.leave();
        }
      }
    }
    return removed;
  }

  /** Collects some sessions; returns where to go on, or null at the end. */
  private byte[] collectOlder(
      long beforeMillis, byte[] from, List<SessionId> old, OperationContext operation) {
    byte[] end = SessionRecord.KEYS.clone();
    end[end.length - 1]++;
    try (KeyValueCursor records = storage.cursor(Keyspace.SYSTEM, from, end, false)) {
      while (records.next()) {
        operation.checkInterrupt();
        if (SessionRecord.isSessionKey(records.key(), records.keyLength())) {
          if (old.size() == REMOVED_TOGETHER) {
            return records.copyKey();
          }
          if (SessionRecord.decode(records.copyValue()).lastWriteMillis() < beforeMillis) {
            old.add(SessionRecord.sessionOf(records.key(), records.keyLength()));
          }
        }
      }
    }
    return null;
  }

  /** Removes records together, but those of sessions that are in use again. */
  private int remove(List<SessionId> sessions, long beforeMillis) {
    var mutation = new MutationBuilder();
    var held = new ArrayList<SessionId>();
    int removed = 0;
    try {
      for (SessionId session : sessions) {
        if (turns.tryBegin(session)) {
          held.add(session);
          removed += removeFrom(session, beforeMillis, mutation) ? 1 : 0;
        }
      }
      if (removed > 0) {
        log.submit(mutation.build()).awaitApplied();
      }
    } finally {
      held.forEach(turns::end);
    }
    return removed;
  }

  private boolean removeFrom(SessionId session, long beforeMillis, MutationBuilder mutation) {
    byte[] key = SessionRecord.key(session);
    byte[] value = storage.get(Keyspace.SYSTEM, key);
    SessionRecord record = value == null ? null : SessionRecord.decode(value);
    if (record == null
        || record.lastWriteMillis() >= beforeMillis
        || record.state() == SessionRecord.State.PREPARED) {
      return false;
    }
    mutation.delete(Keyspace.SYSTEM, key);
    for (int page = 0; page < record.pages(); page++) {
      mutation.delete(Keyspace.SYSTEM, SessionRecord.pageKey(key, page));
    }
    return true;
  }
}
