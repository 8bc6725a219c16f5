package dev.wisent.operation;

/**
 * A write that has its effect once, however often it is sent: the session and the transaction
 * number that name it, and the numbers of its statements. For the thread of the operation.
 */
public final class RetryableWrite {
  private final SessionId session;
  private final long txnNumber;
  private final StatementIds ids;

  private long attempt;
  private boolean registration;
  private int batchStart;
  private boolean attempted;
  private Runnable beforeCommits = () -> {};

  public RetryableWrite(SessionId session, long txnNumber, StatementIds ids) {
    this.session = session;
    this.txnNumber = txnNumber;
    this.ids = ids;
  }

  public SessionId session() {
    return session;
  }

  public long txnNumber() {
    return txnNumber;
  }

  /**
   * Says which attempt of a router this is to execute the write, whose shard is not known before. A
   * shard executes the newest attempt that is registered with it.
   *
   * @param registers whether this registers the attempt, and asks whether the write is done
   */
  public void attempt(long number, boolean registers) {
    attempt = number;
    registration = registers;
  }

  /**
   * See {@link #attempt(long, boolean)}; 0 for a write that is sent to the shard that it is for.
   */
  public long attempt() {
    return attempt;
  }

  public boolean isRegistration() {
    return registration;
  }

  /** Says that the next batch begins with this statement of the command. */
  public void startBatch(int firstStatement) {
    batchStart = firstStatement;
  }

  /** The number of a statement of the batch. */
  public int statementId(int index) {
    return ids.at(batchStart + index);
  }

  /** Has something run before each commit; if that throws, nothing is committed. */
  public void beforeCommits(Runnable hook) {
    beforeCommits = hook;
  }

  /** To be called before something is handed over to be committed. */
  public void beforeCommit() {
    beforeCommits.run();
    attempted = true;
  }

  /** Whether something was handed over to be committed, whatever became of it. */
  public boolean attempted() {
    return attempted;
  }
}
