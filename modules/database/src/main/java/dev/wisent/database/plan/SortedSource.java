package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.query.sort.SortedDocument;
import dev.wisent.query.sort.Sorter;
import dev.wisent.storage.ReadView;

/** Records of another source in the order of a sort; all are read before the first is given. */
final class SortedSource implements RecordSource {
  private final RecordSource input;
  private final SortPattern pattern;
  private final long limit;
  private final SortSpace space;
  private Sorter sorted;
  private SortedDocument current;

  /**
   * @param limit how many are needed; 0 for all
   * @param space what the sort may use; closed with the source
   */
  SortedSource(RecordSource input, SortPattern pattern, long limit, SortSpace space) {
    this.input = input;
    this.pattern = pattern;
    this.limit = limit;
    this.space = space;
  }

  @Override
  public boolean next() {
    if (sorted == null) {
      var sorter = new Sorter(pattern, limit, space);
      while (input.next()) {
        sorter.add(stable(input.document()), input.recordId());
      }
      input.close();
      sorted = sorter;
    }
    current = sorted.next();
    return current != null;
  }

  /** The sorter keeps a document that fills its array as it is, but sources use arrays again. */
  private static RawDocument stable(RawDocument document) {
    return document.length() == document.bytes().length
        ? RawDocument.of(document.toByteArray())
        : document;
  }

  @Override
  public long recordId() {
    return current.recordId();
  }

  @Override
  public RawDocument document() {
    return current.document();
  }

  @Override
  public Index index() {
    return sorted == null ? input.index() : null;
  }

  @Override
  public void suspend() {
    if (sorted == null) {
      input.suspend();
    }
  }

  @Override
  public void resume(ReadView view, OperationContext under) {
    if (sorted == null) {
      input.resume(view, under);
    }
  }

  @Override
  public void close() {
    space.close();
    input.close();
  }
}
