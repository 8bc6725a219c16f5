package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.storage.ReadView;

/** No records: the collection does not exist, or nothing can match. */
public enum EmptySource implements RecordSource {
  INSTANCE;

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public long recordId() {
    throw new IllegalStateException("no record");
  }

  @Override
  public RawDocument document() {
    throw new IllegalStateException("no record");
  }

  @Override
  public void suspend() {}

  @Override
  public void resume(ReadView view, OperationContext under) {}

  @Override
  public void close() {}
}
