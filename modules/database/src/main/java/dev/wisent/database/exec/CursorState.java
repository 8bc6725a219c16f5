package dev.wisent.database.exec;

import dev.wisent.storage.FixedView;

/** The state of the store in which an open cursor goes on with its next batch. */
public interface CursorState extends AutoCloseable {
  /** The state, to be closed; null for the newest. */
  FixedView view();

  /** To be called with the end of the cursor. */
  @Override
  void close();
}
