package dev.wisent.storage;

/**
 * A view of a state that does not change: a {@link Snapshot}, or a snapshot with the changes of an
 * {@link Overlay}. A plan that runs for a while reads one of these, and cannot tell which.
 */
public interface FixedView extends ReadView, AutoCloseable {
  /** The same state once more, which is closed separately. */
  FixedView share();

  /** Closing twice, or after the engine, is harmless. */
  @Override
  void close();
}
