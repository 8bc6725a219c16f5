package dev.wisent.operation.transaction;

/**
 * Counts of transactions since the start of the node, and of those that are open.
 *
 * @param latches how many records and unique keys open transactions hold
 * @param snapshots how many states of the store they hold
 * @param bufferedBytes the memory of their uncommitted writes
 */
public record TransactionFigures(
    long started,
    long committed,
    long aborted,
    long open,
    long active,
    Prepared prepared,
    long latches,
    long snapshots,
    long bufferedBytes) {
  public static final TransactionFigures NONE = new TransactionFigures(0, 0, 0, 0, 0, 0, 0, 0);

  /** Where none was prepared. */
  public TransactionFigures(
      long started,
      long committed,
      long aborted,
      long open,
      long active,
      long latches,
      long snapshots,
      long bufferedBytes) {
    this(
        started,
        committed,
        aborted,
        open,
        active,
        new Prepared(0, 0, 0, 0),
        latches,
        snapshots,
        bufferedBytes);
  }

  /**
   * Those that were prepared.
   *
   * @param current how many have no outcome yet
   */
  public record Prepared(long total, long committed, long aborted, long current) {}

  public long inactive() {
    return open - active;
  }
}
