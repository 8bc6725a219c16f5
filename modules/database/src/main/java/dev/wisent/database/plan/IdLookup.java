package dev.wisent.database.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;

/** The one record with a given {@code _id}: two point reads and no planning. */
public final class IdLookup implements RecordSource {
  private final Collection collection;
  private final RawValue id;
  private OperationContext operation;
  private ReadView view;
  private boolean done;
  private long recordId;
  private RawDocument document;

  IdLookup(Collection collection, RawValue id, ReadView view, OperationContext operation) {
    this.collection = collection;
    this.id = id;
    this.view = view;
    this.operation = operation;
  }

  /** The record id under a key of an {@code _id} index; -1 if there is none. */
  public static long find(byte[] key, ReadView view) {
    byte[] value = new byte[RecordKeys.RECORD_ID_BYTES];
    return view.get(Keyspace.INDEX, key, key.length, value) < 0
        ? -1
        : RecordKeys.recordId(value, 0);
  }

  @Override
  public boolean next() {
    if (done) {
      return false;
    }
    done = true;
    byte[] key = collection.idIndex().keyOf(id);
    operation.examinedKey();
    return view instanceof StorageEngine ? readNewest(key) : read(key);
  }

  private boolean readNewest(byte[] key) {
    RecordCache cache = collection.recordCache();
    RecordCache.Entry cached = cache.find(key);
    if (cached != null) {
      operation.examinedDocument();
      recordId = cached.recordId();
      document = cached.toDocument();
      return true;
    }
    long stamp = cache.stamp(key);
    boolean found = read(key);
    if (found) {
      cache.keep(key, stamp, recordId, document);
    }
    return found;
  }

  private boolean read(byte[] key) {
    recordId = find(key, view);
    if (recordId < 0) {
      return false;
    }
    operation.examinedDocument();
    document = new RecordReader(collection.ident()).read(view, recordId);
    return document != null;
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  /** The entries of an {@code _id} index do not tell the types of numbers; the document does. */
  static RawDocument idOf(RawDocument document) {
    return new BsonBuilder().append("_id", document.get("_id")).toDocument();
  }

  @Override
  public RawDocument keyDocument() {
    return idOf(document);
  }

  @Override
  public void suspend() {
    view = null;
  }

  @Override
  public void resume(ReadView newer, OperationContext under) {
    operation = under;
    view = newer;
  }

  @Override
  public void close() {}
}
