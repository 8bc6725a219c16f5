package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Records whose index keys lie in given ranges, in the order of the keys. Documents are fetched and
 * matched; where arrays gave several keys, each record comes once.
 */
public final class IndexScan implements RecordSource {
  private final Index index;
  private final List<ByteRange> ranges;
  private final boolean reverse;
  private final MatchExpression filter;
  private OperationContext operation;
  private final RecordReader reader;
  private Set<Long> seen;
  private ReadView view;
  private KeyValueCursor cursor;
  private int range = -1;
  private boolean onEntry;
  private byte[] place;
  private long recordId;
  private RawDocument document;

  IndexScan(
      Collection collection,
      AccessPath.ByIndex path,
      MatchExpression filter,
      ReadView view,
      OperationContext operation) {
    this.index = path.index();
    this.reverse = path.reverse();
    this.ranges = reverse ? path.ranges().reversed() : path.ranges();
    this.filter = filter;
    this.view = view;
    this.operation = operation;
    this.reader = new RecordReader(collection.ident());
    expectSeveralKeys();
  }

  /** The index may also get its first array while the scan is suspended. */
  private void expectSeveralKeys() {
    if (seen == null && index.isMultikey()) {
      seen = new HashSet<>();
    }
  }

  @Override
  public boolean next() {
    while (advance()) {
      operation.checkInterrupt();
      operation.examinedKey();
      recordId = currentRecordId();
      if (seen != null && !seen.add(recordId)) {
        continue;
      }
      document = reader.read(view, recordId);
      if (document == null) {
        continue;
      }
      operation.examinedDocument();
      if (filter == null || filter.matches(document)) {
        return true;
      }
    }
    return false;
  }

  private long currentRecordId() {
    return index.isUnique()
        ? RecordKeys.recordId(cursor.value(), 0)
        : RecordKeys.recordId(cursor.key(), cursor.keyLength() - RecordKeys.RECORD_ID_BYTES);
  }

  private boolean advance() {
    onEntry = move();
    return onEntry;
  }

  private boolean move() {
    if (cursor != null && step()) {
      return true;
    }
    while (range + 1 < ranges.size()) {
      range++;
      openRange();
      if (cursor.next()) {
        return true;
      }
    }
    return false;
  }

  private boolean step() {
    if (place == null) {
      return cursor.next();
    }
    byte[] last = place;
    place = null;
    if (!cursor.seek(last)) {
      return false;
    }
    boolean same = Arrays.equals(cursor.key(), 0, cursor.keyLength(), last, 0, last.length);
    return !same || cursor.next();
  }

  private void openRange() {
    if (cursor != null) {
      cursor.close();
    }
    ByteRange bounds = ranges.get(range);
    cursor = view.cursor(Keyspace.INDEX, bounds.lower(), bounds.upper(), reverse);
  }

  @Override
  public RawDocument keyDocument() {
    return index.isId() ? IdLookup.idOf(document) : index.keyDocument(cursor);
  }

  @Override
  public Index index() {
    return index;
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
    if (onEntry && place == null) {
      place = cursor.copyKey();
    }
    close();
    view = null;
  }

  @Override
  public void resume(ReadView newer, OperationContext under) {
    operation = under;
    view = newer;
    expectSeveralKeys();
    if (place != null) {
      openRange();
    }
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
