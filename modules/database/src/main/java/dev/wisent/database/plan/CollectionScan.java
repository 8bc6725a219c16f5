package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.ScanHint;

/** All records of a collection in the order of insertion, or backwards, that match. */
public final class CollectionScan implements RecordSource {
  private final int ident;
  private final boolean reverse;
  private final MatchExpression filter;
  private final boolean capped;
  private OperationContext operation;
  private KeyValueCursor cursor;
  private boolean started;
  private boolean resumed;
  private long recordId;
  private RawDocument document;

  /**
   * @param filter null to take every record
   */
  CollectionScan(
      Collection collection,
      boolean reverse,
      MatchExpression filter,
      ReadView view,
      OperationContext operation) {
    this.ident = collection.ident();
    this.reverse = reverse;
    this.filter = filter;
    this.capped = collection.capped() != null;
    this.operation = operation;
    this.cursor = open(view);
  }

  private KeyValueCursor open(ReadView view) {
    return view.cursor(
        Keyspace.RECORDS,
        RecordKeys.lowerBound(ident),
        RecordKeys.upperBound(ident),
        reverse,
        ScanHint.BULK);
  }

  @Override
  public boolean next() {
    while (advance()) {
      operation.checkInterrupt();
      operation.examinedDocument();
      started = true;
      recordId = RecordKeys.recordId(cursor.key());
      document = new RawDocument(cursor.value(), 0, cursor.valueLength());
      if (filter == null || filter.matches(document)) {
        return true;
      }
    }
    return false;
  }

  private boolean advance() {
    if (!resumed) {
      return cursor.next();
    }
    resumed = false;
    if (!cursor.seek(RecordKeys.recordKey(ident, recordId))) {
      checkPosition(false);
      return false;
    }
    boolean same = RecordKeys.recordId(cursor.key()) == recordId;
    checkPosition(same);
    return !same || cursor.next();
  }

  /**
   * A capped collection is a queue, of which a reader must not miss a part without knowing. Where
   * it stood is only gone if what follows may be gone too.
   */
  private void checkPosition(boolean found) {
    if (capped && !found) {
      throw new CommandException(
          ErrorCode.CAPPED_POSITION_LOST,
          "CollectionScan died due to position in capped collection being deleted. Last seen"
              + " record id: RecordId("
              + recordId
              + ")");
    }
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  public void suspend() {
    close();
  }

  @Override
  public void resume(ReadView view, OperationContext under) {
    operation = under;
    cursor = open(view);
    resumed = started;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
