package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;

/** Reads single records of a collection, one after the other into the same array. */
public final class RecordReader {
  private static final int GUESS_BYTES = 1024;

  private final int ident;
  private final byte[] key = new byte[RecordKeys.RECORD_KEY_BYTES];
  private byte[] buffer = new byte[GUESS_BYTES];

  public RecordReader(int ident) {
    this.ident = ident;
  }

  /** The document of a record, valid until the next read; null if there is none. */
  public RawDocument read(ReadView view, long recordId) {
    RecordKeys.writeRecordKey(key, ident, recordId);
    while (true) {
      int length = view.get(Keyspace.RECORDS, key, key.length, buffer);
      if (length < 0) {
        return null;
      }
      if (length <= buffer.length) {
        return new RawDocument(buffer, 0, length);
      }
      buffer = new byte[length];
    }
  }
}
