package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.storage.ReadView;

/**
 * Records that a plan finds, one after the other. For one thread at a time.
 *
 * <p>A source reads from the view that it was opened or resumed with. {@link #suspend} lets go of
 * the view and keeps the place, so that the source can go on later in a newer state.
 */
public interface RecordSource extends AutoCloseable {
  /** Moves to the next record; false at the end. */
  boolean next();

  long recordId();

  /** The document; its bytes stay valid until the next move. */
  RawDocument document();

  void suspend();

  void resume(ReadView view, OperationContext under);

  @Override
  void close();
}
