package dev.wisent.database.session;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Gives what sessions have done as retryable writes to another shard, which gets a part of the
 * documents: from then on it answers their retries. Records know no collections, so all of them are
 * given. Thread-safe.
 */
public final class SessionCopies {
  private final StorageEngine storage;
  private final CommitLog log;
  private final WriteGate gate;
  private final RetryableWrites.OtherUse otherUse;
  private final Set<ChangedSessions> watches = ConcurrentHashMap.newKeySet();

  SessionCopies(
      StorageEngine storage, CommitLog log, WriteGate gate, RetryableWrites.OtherUse otherUse) {
    this.storage = storage;
    this.log = log;
    this.gate = gate;
    this.otherUse = otherUse;
  }

  /** Notes from now on which sessions change; to be closed. */
  public ChangedSessions watch() {
    var watch = new ChangedSessions(otherUse.turns(), watches::remove);
    watches.add(watch);
    return watch;
  }

  /** In the turn of a session whose record was written. */
  void changed(SessionId session) {
    watches.forEach(watch -> watch.changed(session));
  }

  /** A transaction writes the record of a session with its commit. */
  void moves(SessionId session) {
    watches.forEach(watch -> watch.moves(session));
  }

  /** Hands on copies of all records. */
  public void forEach(OperationContext operation, Consumer<RawDocument> consumer) {
    forEachFrom(
        SessionRecord.KEYS,
        operation,
        copy -> {
          consumer.accept(copy);
          return true;
        });
  }

  /**
   * The same in parts.
   *
   * @param last the last copy of the part before; null for the first part
   * @param consumer takes a copy, and says whether it takes more
   */
  public void forEachAfter(
      RawDocument last, OperationContext operation, Predicate<RawDocument> consumer) {
    byte[] from = SessionRecord.KEYS;
    if (last != null) {
      byte[] key = SessionRecord.key(session(last));
      from = Arrays.copyOf(key, key.length + 1);
    }
    forEachFrom(from, operation, consumer);
  }

  private void forEachFrom(
      byte[] from, OperationContext operation, Predicate<RawDocument> consumer) {
    byte[] end = SessionRecord.KEYS.clone();
    end[end.length - 1]++;
    try (var view = storage.snapshot();
        KeyValueCursor records = view.cursor(Keyspace.SYSTEM, from, end, false)) {
      while (records.next()) {
        operation.checkInterrupt();
        if (SessionRecord.isSessionKey(records.key(), records.keyLength())) {
          SessionId session = SessionRecord.sessionOf(records.key(), records.keyLength());
          RawDocument copy = copy(session, records.copyValue(), view);
          if (copy != null && !consumer.test(copy)) {
            return;
          }
        }
      }
    }
  }

  /** The same of some sessions. */
  public void forEach(
      Set<SessionId> sessions, OperationContext operation, Consumer<RawDocument> consumer) {
    if (sessions.isEmpty()) {
      return;
    }
    try (var view = storage.snapshot()) {
      for (SessionId session : sessions) {
        operation.checkInterrupt();
        byte[] stored = view.get(Keyspace.SYSTEM, SessionRecord.key(session));
        RawDocument copy = stored == null ? null : copy(session, stored, view);
        if (copy != null) {
          consumer.accept(copy);
        }
      }
    }
  }

  /** Null for the record of a transaction. */
  private static RawDocument copy(SessionId session, byte[] stored, ReadView view) {
    SessionRecord record = SessionRecord.decode(stored);
    return record.isTransaction()
        ? null
        : copy(session, record, record.allStatements(SessionRecord.key(session), view));
  }

  private static RawDocument copy(SessionId session, SessionRecord record, List<Statement> done) {
    return new BsonBuilder()
        .appendBinary("session", (byte) 0, session.bytes())
        .appendInt64("txnNumber", record.txnNumber())
        .appendDate("lastWriteDate", record.lastWriteMillis())
        .appendBinary("statements", (byte) 0, Statement.encode(done))
        .toDocument();
  }

  /** Adds copies to what is known here. A newer number of a session makes its copy worthless. */
  public void add(List<RawDocument> copies, OperationContext operation) {
    var mutation = new MutationBuilder();
    var held = new ArrayList<SessionId>();
    var waiting = new ArrayList<RawDocument>();
    gate.enter(operation);
    try {
      for (RawDocument copy : copies) {
        SessionId session = session(copy);
        if (otherUse.turns().tryBegin(session)) {
          held.add(session);
          merge(copy, mutation);
        } else {
          waiting.add(copy);
        }
      }
      submit(mutation, operation);
    } finally {
      held.forEach(otherUse.turns()::end);
      gate.leave();
    }
    waiting.forEach(copy -> addInTurn(copy, operation));
  }

  /** A turn is taken before the gate is entered. */
  private void addInTurn(RawDocument copy, OperationContext operation) {
    otherUse
        .turns()
        .run(
            session(copy),
            operation,
            () -> {
              gate.enter(operation);
              try {
                var mutation = new MutationBuilder();
                merge(copy, mutation);
                submit(mutation, operation);
                return null;
              } finally {
                gate.leave();
              }
            });
  }

  private void submit(MutationBuilder mutation, OperationContext operation) {
    if (!mutation.isEmpty()) {
      OperationState.awaitApplied(log.submit(mutation.build()), operation);
    }
  }

  private static SessionId session(RawDocument copy) {
    byte[] id = copy.get("session").asBinary();
    return SessionId.ofBytes(id, 0, id.length);
  }

  /** In the turn of the session. */
  private void merge(RawDocument copy, MutationBuilder mutation) {
    SessionId session = session(copy);
    long number = copy.get("txnNumber").asInt64();
    long millis = copy.get("lastWriteDate").asInt64();
    byte[] key = SessionRecord.key(session);
    byte[] stored = storage.get(Keyspace.SYSTEM, key);
    SessionRecord known = stored == null ? null : SessionRecord.decode(stored);
    if (known != null && (known.txnNumber() > number || isOfTransaction(known, number))) {
      return;
    }
    if (isOvertaken(session, number)) {
      return;
    }
    var statements = new ArrayList<Statement>();
    boolean same = known != null && known.txnNumber() == number;
    if (same) {
      statements.addAll(known.allStatements(key, storage));
      millis = Math.max(millis, known.lastWriteMillis());
    }
    int before = statements.size();
    for (Statement each : Statement.decode(copy.get("statements").asBinary())) {
      if (!isKnown(statements, before, each)) {
        statements.add(each);
      }
    }
    if (same && statements.size() == before) {
      return;
    }
    for (int page = 0; known != null && page < known.pages(); page++) {
      mutation.delete(Keyspace.SYSTEM, SessionRecord.pageKey(key, page));
    }
    // A page is not written again with every statement that follows.
    mutation.put(Keyspace.SYSTEM, SessionRecord.pageKey(key, 0), Statement.encode(statements));
    var merged = new SessionRecord(number, millis, 1, new byte[0]);
    mutation.put(Keyspace.SYSTEM, key, merged.encode());
  }

  private static boolean isOfTransaction(SessionRecord known, long number) {
    return known.isTransaction()
        && (known.txnNumber() == number || known.state() == SessionRecord.State.PREPARED);
  }

  /** Whether the session has begun something newer here, of which nothing is stored yet. */
  private boolean isOvertaken(SessionId session, long number) {
    try {
      otherUse.beforeRetryableWrite(new RetryableWrite(session, number, StatementIds.from(0)));
      return false;
    } catch (CommandException e) {
      return true;
    }
  }

  private static boolean isKnown(List<Statement> statements, int count, Statement wanted) {
    for (int i = 0; i < count; i++) {
      Statement each = statements.get(i);
      if (each.isDone() == wanted.isDone()
          && each.contains(wanted.first())
          && each.contains(wanted.first() + wanted.count() - 1)
          && each.attempt() >= wanted.attempt()) {
        return true;
      }
    }
    return false;
  }
}
