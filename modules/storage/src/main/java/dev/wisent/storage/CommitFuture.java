package dev.wisent.storage;

/** The outcome of a submitted mutation. */
public interface CommitFuture {
  /**
   * Returns when readers see the mutation. It waits for as long as this node can decide that: an
   * earlier return would release latches while the mutation can still be applied.
   *
   * @throws LeadershipException if this node has lost leadership of its log meanwhile: the outcome
   *     is unknown, and if the mutation is applied, the waiting thread has no part in it
   */
  void awaitApplied();

  /** As {@link #awaitApplied()}, but false when the time is over; the mutation can still come. */
  default boolean awaitApplied(long timeoutNanos) throws InterruptedException {
    awaitApplied();
    return true;
  }

  /**
   * Returns when the mutation survives a power failure.
   *
   * @throws StorageException if that cannot be promised any more
   */
  void awaitDurable();

  /**
   * As {@link #awaitDurable()}, but false when the time is over. A thread that writes for others,
   * too, does so to the end.
   */
  default boolean awaitDurable(long timeoutNanos) throws InterruptedException {
    awaitDurable();
    return true;
  }

  /** The place of the mutation in its log: grows with every later submission of the same thread. */
  long position();

  /**
   * The cluster time of the mutation's last oplog entry, as the 64 bits of a BSON timestamp; 0 if
   * it has none. Known when it is applied.
   */
  default long timestamp() {
    return 0;
  }
}
