package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
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

  /** The index key by which the record was found; null if it was found in another way. */
  default RawDocument keyDocument() {
    return null;
  }

  /** The index that must still exist for the source to go on; null if there is none. */
  default Index index() {
    return null;
  }

  void suspend();

  void resume(ReadView view, OperationContext under);

  @Override
  void close();
}
