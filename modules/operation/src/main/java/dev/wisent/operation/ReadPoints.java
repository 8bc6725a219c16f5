package dev.wisent.operation;

/** The states of the recent past that operations can read. */
public interface ReadPoints {
  /** To be called before a wait for a state: from now on new states are kept. */
  void use();

  /** The newest state. */
  ReadPoint newest();

  /**
   * The state of a time that is not later than what is applied here.
   *
   * @throws dev.wisent.base.CommandException SnapshotTooOld
   */
  ReadPoint at(long timestamp);

  /** Waits for the outcome of all transactions that were prepared here by a time. */
  void awaitDecided(long timestamp, OperationContext operation);

  /** Whether there are transactions here that are prepared first, and committed later. */
  boolean isDecidedLater();

  /** How long states are kept, at most. */
  int windowSeconds();

  void windowSeconds(int seconds);
}
