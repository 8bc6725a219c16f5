package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The documents of the database {@code config} on this member. Everything that is applied here is
 * committed by a majority, so that a write that has returned survives every election. Thread-safe.
 */
public final class CatalogStore {
  public static final String DATABASE = "config";

  /** How long a change waits for a majority where its client gave no limit. */
  static final long WAIT_MILLIS_MAX = TimeUnit.SECONDS.toMillis(30);

  private static final int CONFLICTS_MAX = 20;

  private final Operations operations;
  private final Transactions transactions;
  private final Clock clock;
  private final SessionId session;
  private final AtomicLong transactionNumber = new AtomicLong();

  public CatalogStore(
      Operations operations, Transactions transactions, Clock clock, RandomSource random) {
    this.operations = operations;
    this.transactions = transactions;
    this.clock = clock;
    this.session = SessionId.of(random.nextLong(), random.nextLong());
  }

  static Namespace namespace(String collection) {
    return new Namespace(DATABASE, collection);
  }

  /** An operation of its own that ends with another one, and after a while in any case. */
  private OperationContext partOf(OperationContext operation) {
    OperationContext part = OperationContext.internal(clock);
    part.limitMillis(operation.millisLeft(WAIT_MILLIS_MAX));
    part.stopCheck(operation::checkNow);
    return part;
  }

  public List<RawDocument> find(OperationContext operation, String collection, RawDocument filter) {
    return find(operation, collection, new FindRequest.Builder().filter(filter));
  }

  public List<RawDocument> find(
      OperationContext operation, String collection, FindRequest.Builder request) {
    return read(partOf(operation), collection, request);
  }

  /** Hands on what a find finds, and keeps none of it. */
  public void each(
      OperationContext operation,
      String collection,
      FindRequest.Builder request,
      Consumer<RawDocument> documents) {
    OperationContext part = partOf(operation);
    try (ResultCursor cursor = operations.find(part, request.build(namespace(collection)))) {
      for (RawDocument next = cursor.peek(); next != null; next = cursor.peek()) {
        documents.accept(next);
        cursor.take();
      }
    }
  }

  /** The first documents that a find finds: at least one, and no more than some bytes of others. */
  public List<RawDocument> page(
      OperationContext operation, String collection, FindRequest.Builder request, long bytesMax) {
    var found = new ArrayList<RawDocument>();
    OperationContext part = partOf(operation);
    long bytes = 0;
    try (ResultCursor cursor = operations.find(part, request.build(namespace(collection)))) {
      for (RawDocument next = cursor.peek(); next != null; next = cursor.peek()) {
        bytes += next.length();
        if (bytes > bytesMax && !found.isEmpty()) {
          break;
        }
        found.add(next.detached());
        cursor.take();
      }
    }
    return found;
  }

  List<RawDocument> read(OperationContext part, String collection, FindRequest.Builder request) {
    var found = new ArrayList<RawDocument>();
    try (ResultCursor cursor = operations.find(part, request.build(namespace(collection)))) {
      for (RawDocument next = cursor.peek(); next != null; next = cursor.peek()) {
        found.add(next.detached());
        cursor.take();
      }
    }
    return found;
  }

  /** Null where there is none. */
  public RawDocument findOne(OperationContext operation, String collection, RawDocument filter) {
    List<RawDocument> found =
        find(operation, collection, new FindRequest.Builder().filter(filter).limit(1));
    return found.isEmpty() ? null : found.getFirst();
  }

  public RawDocument findById(OperationContext operation, String collection, String id) {
    return findOne(operation, collection, DocumentFields.byId(id));
  }

  public long count(OperationContext operation, String collection, RawDocument filter) {
    return operations.count(
        partOf(operation), new CountRequest(namespace(collection), filter, 0, 0, null));
  }

  /** Inserts a document, or replaces the one with its {@code _id}; alone, in no transaction. */
  public void put(OperationContext operation, String collection, RawDocument document) {
    write(
        operations.update(
            partOf(operation), replacement(collection, document.get("_id"), document, true)));
  }

  /** Deletes a document, if it is there; alone, in no transaction. */
  public void remove(OperationContext operation, String collection, RawValue id) {
    write(operations.delete(partOf(operation), deletion(collection, DocumentFields.byId(id))));
  }

  /** Inserts documents; in no transaction, so that some may be there where it fails. */
  public void insertAll(
      OperationContext operation, String collection, List<RawDocument> documents) {
    var request = new InsertRequest(namespace(collection), documents, true, false);
    write(operations.insert(partOf(operation), request));
  }

  /**
   * Deletes what matches, in no transaction: in many small writes, so that some may be gone where
   * it fails.
   */
  public void removeAll(OperationContext operation, String collection, RawDocument filter) {
    write(operations.delete(partOf(operation), deletion(collection, filter)));
  }

  static UpdateRequest replacement(
      String collection, RawValue id, RawDocument document, boolean upsert) {
    var statement =
        new UpdateStatement(
            DocumentFields.byId(id),
            RawValue.ofDocument(document),
            false,
            upsert,
            List.of(),
            RawDocument.EMPTY,
            null);
    return new UpdateRequest(namespace(collection), List.of(statement), true, false);
  }

  static DeleteRequest deletion(String collection, RawDocument filter) {
    return new DeleteRequest(
        namespace(collection), List.of(new DeleteStatement(filter, true, null)), true);
  }

  /** Fails where the only statement of a batch has failed. */
  static WriteOutcome write(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
    return outcome;
  }

  Operations operations() {
    return operations;
  }

  /**
   * Runs changes as one transaction. On a conflict with a write outside of transactions it is tried
   * again. One thread at a time.
   */
  void transaction(OperationContext operation, Consumer<CatalogChange> work) {
    for (int attempt = 1; ; attempt++) {
      OperationContext part = partOf(operation);
      try {
        var id = new TransactionId(session, transactionNumber.incrementAndGet());
        transactions.run(
            part,
            new TransactionStatement(id, true, null, 0),
            () -> work.accept(new CatalogChange(this, part)));
        transactions.commit(part, id);
        return;
      } catch (CommandException e) {
        if (e.code() != ErrorCode.WRITE_CONFLICT || attempt == CONFLICTS_MAX) {
          throw e;
        }
        operation.checkNow();
      }
    }
  }
}
