package dev.wisent.database.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionStatement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A transaction as a client sees it, with short forms in JSON. */
public final class TestTransaction {
  private static final AtomicLong SESSIONS = new AtomicLong();

  private final TestDatabase database;
  private final TransactionId id;
  private boolean started;

  private TestTransaction(TestDatabase database, TransactionId id) {
    this.database = database;
    this.id = id;
  }

  /** The first transaction of a new session. */
  public static TestTransaction of(TestDatabase database) {
    return new TestTransaction(
        database, new TransactionId(SessionId.of(1, SESSIONS.incrementAndGet()), 1));
  }

  static TestTransaction in(TestDatabase database, SessionId session) {
    return in(database, session, 1);
  }

  static TestTransaction in(TestDatabase database, SessionId session, long number) {
    return new TestTransaction(database, new TransactionId(session, number));
  }

  /** The one after this in its session. */
  TestTransaction next() {
    return new TestTransaction(database, new TransactionId(id.session(), id.number() + 1));
  }

  /** The same transaction for a client that believes it has sent the first statement. */
  TestTransaction begun() {
    started = true;
    return this;
  }

  /** The same number for a client that has not sent the first statement. */
  TestTransaction again() {
    return new TestTransaction(database, id);
  }

  /** The same transaction, sent to another member. */
  TestTransaction on(TestDatabase other) {
    return new TestTransaction(other, id).begun();
  }

  TransactionId id() {
    return id;
  }

  private LocalDatabase node() {
    return database.database();
  }

  <T> T run(Function<OperationContext, T> work) {
    return run(database.operation(), work);
  }

  <T> T run(OperationContext operation, Function<OperationContext, T> work) {
    var statement = new TransactionStatement(id, !started, null, 0);
    started = true;
    var results =
        new Object() {
          T value;
        };
    node().transactions().run(operation, statement, () -> results.value = work.apply(operation));
    return results.value;
  }

  /** Inserts documents, all of which must be accepted. */
  public TestTransaction insert(String... documents) {
    succeed(tryInsert(true, documents));
    return this;
  }

  WriteOutcome tryInsert(boolean ordered, String... documents) {
    return insertInto(TestDatabase.NAMESPACE, ordered, documents);
  }

  WriteOutcome insertInto(Namespace namespace, boolean ordered, String... documents) {
    List<RawDocument> parsed = Arrays.stream(documents).map(RawDocument::parse).toList();
    return run(
        operation ->
            node().insert(operation, new InsertRequest(namespace, parsed, ordered, false)));
  }

  /** Returns the time of the preparation. */
  public long prepare() {
    return node().transactions().prepare(database.operation(), id, "shard0");
  }

  /** Commits what is prepared. */
  public void commitAt(long time) {
    node().transactions().commit(database.operation(), id, time);
  }

  /** Aborts what may be prepared. */
  void abortDecided() {
    node().transactions().abortDecided(database.operation(), id);
  }

  private static void succeed(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw new AssertionError(outcome.failures().getFirst().error());
    }
  }

  public WriteOutcome update(String query, String update) {
    return update(query, update, false, false);
  }

  WriteOutcome update(String query, String update, boolean multi, boolean upsert) {
    return run(operation -> node().update(operation, request(query, update, multi, upsert)));
  }

  private static UpdateRequest request(String query, String update, boolean multi, boolean upsert) {
    return TestDatabase.request(TestDatabase.statement(query, update, multi, upsert));
  }

  WriteOutcome delete(String query, boolean multi) {
    var statement = new DeleteStatement(RawDocument.parse(query), multi, null);
    return run(
        operation ->
            node()
                .delete(
                    operation,
                    new DeleteRequest(TestDatabase.NAMESPACE, List.of(statement), true)));
  }

  /** The results as JSON. */
  public List<String> find(String filter) {
    return find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.parse(filter)));
  }

  List<String> find(FindRequest request) {
    return run(operation -> TestDatabase.drain(node().find(operation, request))).stream()
        .map(RawDocument::toJson)
        .toList();
  }

  public void commit() {
    commit(database.operation());
  }

  void commit(OperationContext operation) {
    node().transactions().commit(operation, id);
  }

  public void abort() {
    node().transactions().abort(database.operation(), id);
  }

  /** The error of something that must fail. */
  public static CommandException error(Runnable work) {
    try {
      work.run();
    } catch (CommandException e) {
      return e;
    }
    throw new AssertionError("no error");
  }
}
