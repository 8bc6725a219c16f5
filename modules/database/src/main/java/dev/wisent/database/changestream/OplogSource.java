package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;

/**
 * Where a stream gets the entries of the oplog from, in their order. Only entries are given that
 * are applied here, and so can no longer be rolled back. For one thread at a time.
 */
public interface OplogSource extends AutoCloseable {
  /**
   * The entry after the last one; null where there is none for now, or where only such were passed
   * that are left out. Its bytes stay valid until the next call.
   *
   * @throws dev.wisent.base.CommandException if entries that were not read have left the oplog
   */
  RawDocument next();

  /** The timestamp of the last entry that {@link #next} gave; 0 if there was none. */
  long timestamp();

  /** The time up to which all entries were given or left out, or do not count. */
  long passed();

  /**
   * An entry that was given before, or belongs to the same transaction as one; null if it is gone.
   */
  RawDocument at(long timestamp);

  /** The time that a merged stream is to pass and tell of; 0 for none. */
  default long awaited() {
    return 0;
  }

  /** Waits until {@link #next} may have more, or the time is over. */
  void await(long timeoutMillis) throws InterruptedException;

  /** Ends a wait, or the next one if there is none at the time. Any thread may call this. */
  void wake();

  /** Lets go of everything but the place. */
  void detach();

  @Override
  void close();
}
