package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;

/**
 * Reads the records that a scan of an index asks for. Where these come in the order in which they
 * were inserted, or nearly so, as by an index on a time, it walks over the collection beside the
 * scan: the next record costs a fraction of a read by its id. For one thread.
 */
final class RecordWalk implements AutoCloseable {
  /** As many neighbours have come before it is worth to open a cursor. */
  private static final int NEIGHBOURS_BEFORE = 8;

  /** Going over more records than this to reach one costs as much as reading it. */
  private static final int GAP_MAX = 4;

  private final int ident;
  private final RecordReader reader;
  private ReadView view;
  private KeyValueCursor cursor;
  private boolean reverse;
  private long last = -1 - GAP_MAX;
  private int neighbours;

  RecordWalk(Collection collection, ReadView view) {
    this.ident = collection.ident();
    this.reader = new RecordReader(collection);
    this.view = view;
  }

  /** The document of a record, valid until the next read; null if there is none. */
  RawDocument read(long recordId) {
    long distance = recordId - last;
    boolean near = distance != 0 && Math.abs(distance) <= GAP_MAX;
    boolean backwards = distance < 0;
    last = recordId;
    if (!near || backwards != reverse) {
      close();
      reverse = backwards;
      neighbours = near ? 1 : 0;
    } else {
      neighbours++;
    }
    return neighbours < NEIGHBOURS_BEFORE ? reader.read(view, recordId) : walkTo(recordId);
  }

  private RawDocument walkTo(long recordId) {
    if (cursor == null) {
      byte[] lower = reverse ? RecordKeys.lowerBound(ident) : RecordKeys.recordKey(ident, recordId);
      byte[] upper =
          reverse ? RecordKeys.recordKey(ident, recordId + 1) : RecordKeys.upperBound(ident);
      cursor = view.cursor(Keyspace.RECORDS, lower, upper, reverse);
    }
    while (cursor.next()) {
      long here = RecordKeys.recordId(cursor.key());
      if (here == recordId) {
        return new RawDocument(cursor.value(), 0, cursor.valueLength());
      }
      if (reverse ? here < recordId : here > recordId) {
        break;
      }
    }
    // Gone over, or at the end: the record is not there, and the next one is looked for anew.
    close();
    neighbours = 0;
    return null;
  }

  /** Goes on in another state. */
  void resume(ReadView newer) {
    view = newer;
  }

  /** Lets go of the store. */
  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
