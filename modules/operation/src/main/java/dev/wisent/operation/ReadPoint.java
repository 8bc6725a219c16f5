package dev.wisent.operation;

/**
 * The state that an operation reads instead of the newest. It is held until it is closed, with the
 * operation or with the cursor that goes on in it.
 */
public interface ReadPoint extends AutoCloseable {
  /** The cluster time of the state, as the 64 bits of a BSON timestamp. */
  long timestamp();

  /** The same once more, to be closed by itself. */
  ReadPoint share();

  @Override
  void close();
}
