package dev.wisent.database.session;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The statements of a retryable write: which of them are done, and what they gave. For the thread
 * of the operation.
 *
 * <p>A statement is recorded in the mutation that has its effect. One that changes nothing is not
 * recorded and runs again when it is retried, as in MongoDB.
 */
public final class RetryableStatements {
  /** What a retry needs to know about a statement, beside that it is done. */
  public enum Recording {
    /** Nothing: there was one document. */
    COUNT,
    /** The {@code _id} of a document that was inserted for want of one to update. */
    UPSERTED_ID,
    /** The document before its change. */
    IMAGE_BEFORE,
    /** The document after its change. */
    IMAGE_AFTER
  }

  private final RetryableWrite write;
  private final Clock clock;
  private final byte[] key;

  private int statementId;
  private boolean noted; // whether the statement's change is in the pending ones
  private Recording recording = Recording.COUNT;
  private int retried;
  private int recorded;

  /** What storage has, as far as this operation knows; null if nothing. */
  private byte[] stored;

  private ReadView view;
  private boolean loaded;
  private int pages; // under this transaction number
  private int pagesBefore; // of an older number: removed with the first write
  private byte[] open = {}; // encoded statements that are in no page
  private final TreeMap<Integer, Statement> done = new TreeMap<>();

  /** The newest attempt of statements that were not done when it was registered. */
  private final Map<Integer, Long> attempts = new HashMap<>();

  private final List<Statement> pending = new ArrayList<>(1);
  private SessionRecord next; // what storage has when the pending ones are committed

  RetryableStatements(RetryableWrite write, Clock clock) {
    this.write = write;
    this.clock = clock;
    this.key = SessionRecord.key(write.session());
  }

  public SessionId session() {
    return write.session();
  }

  public long txnNumber() {
    return write.txnNumber();
  }

  /**
   * Looks at what the session has done. No other operation may write in this session, nor the node
   * change its role, before the batch is over.
   *
   * @throws CommandException if the session has written under a newer number
   */
  void load(ReadView newest) {
    view = newest;
    byte[] found = view.get(Keyspace.SYSTEM, key);
    if (loaded && Arrays.equals(found, stored)) {
      return;
    }
    stored = found;
    done.clear();
    attempts.clear();
    pages = 0;
    pagesBefore = 0;
    open = new byte[0];
    if (found != null) {
      take(SessionRecord.decode(found));
    }
    loaded = true;
  }

  private void take(SessionRecord found) {
    if (found.txnNumber() > write.txnNumber()) {
      throw tooOld(write, found.txnNumber(), found.isTransaction());
    }
    if (found.txnNumber() < write.txnNumber()) {
      pagesBefore = found.pages();
      return;
    }
    if (found.isTransaction()) {
      throw isTransaction();
    }
    pages = found.pages();
    open = found.statements();
    found.allStatements(key, view).forEach(this::remember);
  }

  private void remember(Statement statement) {
    if (statement.isDone()) {
      done.put(statement.first(), statement);
    } else {
      attempts.put(statement.first(), statement.attempt());
    }
  }

  /** Says that a session has gone on to a newer number. */
  public static CommandException tooOld(RetryableWrite write, long newer, boolean transaction) {
    return new CommandException(
        ErrorCode.TRANSACTION_TOO_OLD,
        "Retryable write with txnNumber "
            + write.txnNumber()
            + " is prohibited on session "
            + write.session()
            + " because a newer "
            + (transaction ? "transaction" : "retryable write")
            + " with txnNumber "
            + newer
            + " has already started on this session.");
  }

  /** Says that the number of a retryable write is that of a transaction. */
  public static CommandException isTransaction() {
    return new CommandException(
        ErrorCode.INCOMPLETE_TRANSACTION_HISTORY,
        "Cannot retry a retryable write that has been converted into a transaction");
  }

  /** Begins a statement of the batch; returns whether it is done already. */
  public boolean begin(int index, Recording what) {
    statementId = write.statementId(index);
    recording = what;
    noted = false;
    if (!loaded) {
      load(view);
    }
    boolean again = find(statementId) != null;
    retried += again ? 1 : 0;
    if (!again && write.attempt() != newestAttempt(statementId) && write.attempt() != 0) {
      throw overtaken();
    }
    return again;
  }

  private long newestAttempt(int id) {
    return attempts.getOrDefault(id, 0L);
  }

  /** A router that gets this registers a newer attempt, or finds that the write is done. */
  private static CommandException overtaken() {
    return new CommandException(
        ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
        "a newer attempt to execute this statement has begun");
  }

  /**
   * Registers the attempt of the first statement, from which on no earlier one has an effect here.
   *
   * @return whether there is something to write: it is not done yet
   */
  boolean register(MutationBuilder mutation) {
    int id = write.statementId(0);
    if (find(id) != null) {
      return false;
    }
    if (write.attempt() <= newestAttempt(id)) {
      throw overtaken();
    }
    pending.add(Statement.attempted(id, write.attempt()));
    writePending(mutation);
    return true;
  }

  /** How many statements of the batch were found to be done already. */
  int retried() {
    return retried;
  }

  /** How often the session's record was written in the batch. */
  int recorded() {
    return recorded;
  }

  /** The number of the statement that was begun last. */
  public int statementId() {
    return statementId;
  }

  /** What the statement gave when it was done; null if that is one document and no more. */
  public RawDocument result() {
    return find(statementId).result();
  }

  private Statement find(int id) {
    if (done.isEmpty()) {
      return null;
    }
    Map.Entry<Integer, Statement> entry = done.floorEntry(id);
    return entry != null && entry.getValue().contains(id) ? entry.getValue() : null;
  }

  /** To be told when the statement inserts a document. */
  public void inserted(RawDocument document) {
    note(
        switch (recording) {
          case COUNT -> null;
          case UPSERTED_ID -> new BsonBuilder().append("_id", document.get("_id")).toDocument();
          case IMAGE_BEFORE -> image("i", document.get("_id"), null, null);
          case IMAGE_AFTER -> image("i", document.get("_id"), null, document);
        });
  }

  /** To be told when the statement changes a document. */
  public void updated(RawDocument before, RawDocument after) {
    note(
        switch (recording) {
          case COUNT, UPSERTED_ID -> null;
          case IMAGE_BEFORE -> image("u", null, before, null);
          case IMAGE_AFTER -> image("u", null, null, after);
        });
  }

  /** To be told when the statement removes a document. */
  public void deleted(RawDocument before) {
    note(
        switch (recording) {
          case COUNT, UPSERTED_ID -> null;
          case IMAGE_BEFORE, IMAGE_AFTER -> image("d", null, before, null);
        });
  }

  private static RawDocument image(
      String kind, RawValue upsertedId, RawDocument before, RawDocument after) {
    var out = new BsonBuilder();
    out.appendString("op", kind);
    if (upsertedId != null) {
      out.append("_id", upsertedId);
    }
    if (before != null) {
      out.appendDocument("before", before);
    }
    if (after != null) {
      out.appendDocument("after", after);
    }
    return out.toDocument();
  }

  private void note(RawDocument result) {
    // What a capped collection drops to make room is part of the same statement.
    if (!noted) {
      noted = true;
      Statement.add(pending, Statement.of(statementId, result));
    }
  }

  /** Adds the record of what is pending to the mutation that has its effects. */
  public void write(MutationBuilder mutation) {
    if (pending.isEmpty()) {
      return;
    }
    write.beforeCommit();
    writePending(mutation);
  }

  private void writePending(MutationBuilder mutation) {
    for (int page = 0; page < pagesBefore; page++) {
      mutation.delete(Keyspace.SYSTEM, SessionRecord.pageKey(key, page));
    }
    byte[] statements = Statement.append(open, pending);
    int pagesAfter = pages;
    if (statements.length > SessionRecord.STATEMENT_BYTES_MAX && open.length > 0) {
      mutation.put(Keyspace.SYSTEM, SessionRecord.pageKey(key, pagesAfter), open);
      statements = Statement.encode(pending);
      pagesAfter++;
    }
    next = new SessionRecord(write.txnNumber(), clock.wallMillis(), pagesAfter, statements);
    mutation.put(Keyspace.SYSTEM, key, next.encode());
  }

  /** To be told when that mutation is committed. */
  public void committed() {
    if (next == null) {
      return;
    }
    recorded++;
    pagesBefore = 0;
    pages = next.pages();
    open = next.statements();
    stored = next.encode();
    pending.forEach(this::remember);
    next = null;
    pending.clear();
  }

  /** To be told when what is pending will not be committed, or it is unknown whether it was. */
  public void rolledBack() {
    if (next != null) {
      loaded = false;
      next = null;
    }
    pending.clear();
    noted = false;
  }
}
