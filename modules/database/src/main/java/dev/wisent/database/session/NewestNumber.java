package dev.wisent.database.session;

import dev.wisent.operation.SessionId;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;

/**
 * What is stored about the newest transaction number of a session, for transactions.
 *
 * @param number -1 if nothing is stored
 * @param transaction whether the number is that of a transaction, and not of a retryable write
 */
public record NewestNumber(long number, boolean transaction, End end, int pages) {
  private static final NewestNumber NONE = new NewestNumber(-1, false, End.NONE, 0);

  /** What is stored of the end of a transaction. */
  public enum End {
    /** Nothing, or the number is of a retryable write. */
    NONE,
    PREPARED,
    COMMITTED,
    ABORTED
  }

  public static NewestNumber of(SessionId session, ReadView view) {
    byte[] found = view.get(Keyspace.SYSTEM, SessionRecord.key(session));
    if (found == null) {
      return NONE;
    }
    SessionRecord record = SessionRecord.decode(found);
    return new NewestNumber(
        record.txnNumber(), record.isTransaction(), end(record.state()), record.pages());
  }

  private static End end(SessionRecord.State state) {
    return switch (state) {
      case RETRYABLE_WRITE -> End.NONE;
      case COMMITTED -> End.COMMITTED;
      case ABORTED -> End.ABORTED;
      case PREPARED -> End.PREPARED;
    };
  }

  public boolean committed() {
    return end == End.COMMITTED;
  }

  /** Adds to the mutation of a commit that the transaction has committed; this was before it. */
  public void committed(
      SessionId session, long newNumber, long wallMillis, MutationBuilder mutation) {
    write(session, newNumber, wallMillis, SessionRecord.State.COMMITTED, mutation);
  }

  /** The same of one that is prepared. */
  public void prepared(
      SessionId session, long newNumber, long wallMillis, MutationBuilder mutation) {
    write(session, newNumber, wallMillis, SessionRecord.State.PREPARED, mutation);
  }

  /** The same of one of several shards that is aborted: nothing of its number is accepted then. */
  public void aborted(
      SessionId session, long newNumber, long wallMillis, MutationBuilder mutation) {
    write(session, newNumber, wallMillis, SessionRecord.State.ABORTED, mutation);
  }

  private void write(
      SessionId session,
      long newNumber,
      long wallMillis,
      SessionRecord.State state,
      MutationBuilder mutation) {
    byte[] key = SessionRecord.key(session);
    for (int page = 0; page < pages; page++) {
      mutation.delete(Keyspace.SYSTEM, SessionRecord.pageKey(key, page));
    }
    SessionRecord record = SessionRecord.ofTransaction(newNumber, wallMillis, state);
    mutation.put(Keyspace.SYSTEM, key, record.encode());
  }
}
