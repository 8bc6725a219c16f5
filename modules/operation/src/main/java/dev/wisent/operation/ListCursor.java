package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** Results that are all there already. */
public final class ListCursor implements ResultCursor {
  private final List<RawDocument> documents;
  private int position;

  public ListCursor(List<RawDocument> documents) {
    this.documents = List.copyOf(documents);
  }

  @Override
  public void attach(OperationContext operation) {}

  @Override
  public void detach() {}

  @Override
  public RawDocument peek() {
    return position < documents.size() ? documents.get(position) : null;
  }

  @Override
  public void take() {
    position++;
  }

  @Override
  public boolean isExhausted() {
    return position >= documents.size();
  }

  @Override
  public void close() {}
}
