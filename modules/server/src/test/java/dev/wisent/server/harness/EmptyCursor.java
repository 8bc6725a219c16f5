package dev.wisent.server.harness;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;

/** A cursor without documents that is not exhausted. */
public class EmptyCursor implements ResultCursor {
  @Override
  public void attach(OperationContext operation) {}

  @Override
  public void detach() {}

  @Override
  public RawDocument peek() {
    return null;
  }

  @Override
  public void take() {}

  @Override
  public boolean isExhausted() {
    return false;
  }

  @Override
  public void close() {}
}
