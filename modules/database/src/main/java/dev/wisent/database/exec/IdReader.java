package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;

/** Reads records by their {@code _id}: two point reads, or none where the cache has both. */
public final class IdReader {
  private final RecordCache cache;
  private final RecordReader reader;
  private long recordId = -1;
  private RawDocument document;

  IdReader(Collection collection) {
    this.cache = collection.recordCache();
    this.reader = new RecordReader(collection);
  }

  /** The record id under a key of an {@code _id} index; -1 if there is none. */
  private static long find(byte[] key, ReadView view) {
    byte[] value = new byte[RecordKeys.RECORD_ID_BYTES];
    return view.get(Keyspace.INDEX, key, key.length, value) < 0
        ? -1
        : RecordKeys.recordId(value, 0);
  }

  /** The record id under a key of a collection's {@code _id} index; -1 if there is none. */
  public static long find(byte[] key, Collection collection, ReadView view) {
    RecordCache cache = collection.recordCache();
    // The key of a record that a transaction deletes is changed, too.
    ReadView source =
        view.cacheSequence() == ReadView.NOT_CACHED ? view.under(Keyspace.INDEX, key) : view;
    long asOf = source.cacheSequence();
    long known = asOf == ReadView.NOT_CACHED ? -1 : cache.findId(key);
    if (known >= 0 && cache.find(collection.ident(), known, asOf) != null) {
      return known;
    }
    long found = find(key, source);
    if (found >= 0) {
      keep(cache, key, found, source);
    }
    return found;
  }

  /** The id of a record that the store does not have may become that of another one. */
  private static void keep(RecordCache cache, byte[] key, long recordId, ReadView view) {
    if (view.cacheSequence() != ReadView.NOT_CACHED) {
      cache.keepId(key, recordId);
    }
  }

  /**
   * Looks for a record; whether it is there.
   *
   * @param key of the {@code _id} index
   */
  boolean read(byte[] key, ReadView view) {
    recordId = cache.findId(key);
    document = recordId < 0 ? null : reader.read(view, recordId);
    if (document != null) {
      return true;
    }
    recordId = find(key, view);
    if (recordId < 0) {
      return false;
    }
    document = reader.read(view, recordId);
    keep(cache, key, recordId, view);
    return document != null;
  }

  long recordId() {
    return recordId;
  }

  /** The document that was found, valid until the next one is looked for. */
  RawDocument document() {
    return document;
  }
}
