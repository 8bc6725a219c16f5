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
public record NewestNumber(long number, boolean transaction, boolean committed, int pages) {
  private static final NewestNumber NONE = new NewestNumber(-1, false, false, 0);

  public static NewestNumber of(SessionId session, ReadView view) {
    byte[] found = view.get(Keyspace.SYSTEM, SessionRecord.key(session));
    if (found == null) {
      return NONE;
    }
    SessionRecord record = SessionRecord.decode(found);
    return new NewestNumber(
        record.txnNumber(),
        record.isTransaction(),
        record.state() == SessionRecord.State.COMMITTED,
        record.pages());
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

  /** The same of one that was prepared, and is aborted. */
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
