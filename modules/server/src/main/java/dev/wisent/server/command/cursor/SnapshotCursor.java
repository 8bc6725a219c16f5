package dev.wisent.server.command.cursor;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;

/** A cursor that reads one state of the past, and holds it until it is closed. */
record SnapshotCursor(ResultCursor results, ReadPoint state) implements ResultCursor {
  @Override
  public void attach(OperationContext operation) {
    operation.readPoint(state.share());
    results.attach(operation);
  }

  @Override
  public void detach() {
    results.detach();
  }

  @Override
  public RawDocument peek() {
    return results.peek();
  }

  @Override
  public void take() {
    results.take();
  }

  @Override
  public boolean isExhausted() {
    return results.isExhausted();
  }

  @Override
  public boolean isPartial() {
    return results.isPartial();
  }

  @Override
  public void close() {
    results.close();
    state.close();
  }
}
