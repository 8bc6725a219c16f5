package dev.wisent.operation;

import dev.wisent.bson.RawDocument;

/** No results. */
public final class EmptyCursor implements ResultCursor {
  @Override
  public void attach(OperationContext operation) {}

  @Override
  public void detach() {}

  @Override
  public RawDocument peek() {
    return null;
  }

  @Override
  public void take() {
    throw new IllegalStateException("nothing to take");
  }

  @Override
  public boolean isExhausted() {
    return true;
  }

  @Override
  public void close() {}
}
