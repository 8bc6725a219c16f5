package dev.wisent.database.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.RecordCache;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.plan.IdLookup;
import dev.wisent.database.plan.OpenPlan;
import dev.wisent.database.plan.Query;
import dev.wisent.database.plan.QueryPlan;
import dev.wisent.database.plan.RecordSource;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.storage.StorageEngine;

/**
 * The records that an update or delete is for: found in a snapshot, then latched and read again,
 * for somebody may have changed them in between. A query by {@code _id} reads its document only
 * once, after the latch: an {@code _id} never changes.
 */
final class RecordFinder implements AutoCloseable {
  private final StorageEngine storage;
  private final Collection collection;
  private final OperationContext operation;
  private final RecordReader reader;
  private final OpenPlan opened;
  private final QueryPlan plan;
  private final RecordSource source;
  private boolean pointDone;
  private byte[] idKey;
  private long recordId;

  RecordFinder(
      StorageEngine storage,
      Collection collection,
      RawDocument query,
      RawDocument sort,
      RawValue hint,
      OperationContext operation) {
    this.storage = storage;
    this.collection = collection;
    this.operation = operation;
    this.reader = new RecordReader(collection.ident());
    this.opened = open(query, sort, hint);
    this.plan = opened.plan();
    this.source = plan.isPointRead() ? null : opened.source();
  }

  private OpenPlan open(RawDocument query, RawDocument sort, RawValue hint) {
    RawValue id = Query.exactId(query, hint);
    if (id == null) {
      Query parsed = Query.write(query, sort, hint, operation);
      return OpenPlan.of(storage, collection, parsed, SortSpace.inMemory(), operation);
    }
    Query.parseSort(sort);
    return OpenPlan.ofPointRead(storage, collection, id, operation);
  }

  /** Moves to the next candidate. */
  boolean next() {
    if (source != null) {
      boolean found = source.next();
      recordId = found ? source.recordId() : -1;
      return found;
    }
    if (pointDone) {
      return false;
    }
    pointDone = true;
    operation.examinedKey();
    idKey = collection.idIndex().keyOf(plan.id());
    RecordCache.Entry cached = collection.recordCache().find(idKey);
    recordId = cached != null ? cached.recordId() : IdLookup.find(idKey, storage);
    return recordId >= 0;
  }

  long recordId() {
    return recordId;
  }

  /** The record as it is now that it is latched; null if it no longer exists or matches. */
  RawDocument readLatched() {
    if (source == null) {
      return readLatchedById();
    }
    RawDocument current = reader.read(storage, recordId);
    if (current == null) {
      return null;
    }
    return current.equals(source.document()) || plan.filter().matches(current) ? current : null;
  }

  /** What the cache has is the newest version: with the latch, nobody can be changing it. */
  private RawDocument readLatchedById() {
    operation.examinedDocument();
    RecordCache.Entry cached = collection.recordCache().find(idKey);
    return cached != null && cached.recordId() == recordId
        ? cached.toDocument()
        : reader.read(storage, recordId);
  }

  /** The query; null for one by {@code _id} alone. */
  MatchExpression filter() {
    return plan.filter();
  }

  @Override
  public void close() {
    opened.close();
  }
}
