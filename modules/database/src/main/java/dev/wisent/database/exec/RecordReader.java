package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;

/** Reads single records of a collection, from the cache or one after the other into one array. */
public final class RecordReader {
  private static final int GUESS_BYTES = 1024;

  /** A longer read is a scan, which would evict everything else. */
  private static final int KEPT_MAX = 1000;

  private final int ident;
  private final RecordCache cache;
  private final byte[] key = new byte[RecordKeys.RECORD_KEY_BYTES];
  private byte[] buffer;
  private int kept;

  public RecordReader(Collection collection) {
    this.ident = collection.ident();
    this.cache = collection.recordCache();
  }

  /** The document of a record, valid until the next read; null if there is none. */
  public RawDocument read(ReadView view, long recordId) {
    long asOf = view.cacheSequence();
    if (asOf == ReadView.NOT_CACHED) {
      return readStored(view, recordId);
    }
    RawDocument cached = cache.find(ident, recordId, asOf);
    if (cached != null) {
      return cached;
    }
    long before = view.sequence();
    RawDocument document = readStored(view, recordId);
    if (document != null && kept < KEPT_MAX) {
      kept++;
      cache.keep(ident, recordId, before, asOf == RecordCache.NEWEST ? view : null, document);
    }
    return document;
  }

  private RawDocument readStored(ReadView view, long recordId) {
    RecordKeys.writeRecordKey(key, ident, recordId);
    if (buffer == null) {
      buffer = new byte[GUESS_BYTES];
    }
    while (true) {
      int length = view.get(Keyspace.RECORDS, key, key.length, buffer);
      if (length < 0) {
        return null;
      }
      if (length <= buffer.length) {
        return new RawDocument(buffer, 0, length);
      }
      view.admit(length);
      buffer = new byte[length];
    }
  }
}
