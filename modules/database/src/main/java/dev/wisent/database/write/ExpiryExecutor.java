package dev.wisent.database.write;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.Expiry;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.sharding.OwnedKeys;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes documents whose time is over: those with an entry of an old date in an index that says
 * how long documents live. A document with an array of dates goes with the first of them; values
 * that are no dates never go.
 *
 * <p>The index alone tells which documents that are, so that a hidden or partial one works as well.
 */
public final class ExpiryExecutor implements Expiry {
  private static final int BATCH = 1000;

  /** A document may have large index keys and a large _id; the replicated log has a limit. */
  private static final int UNIT_BYTES_MAX = 256 << 10;

  private static final long MILLIS_PER_SECOND = 1000;

  private final WriteAccess access;

  public ExpiryExecutor(WriteAccess access) {
    this.access = access;
  }

  @Override
  public List<Lifetime> lifetimes() {
    var lifetimes = new ArrayList<Lifetime>();
    if (!access.gate().isOpen()) {
      return lifetimes;
    }
    for (Collection collection : access.catalog().all()) {
      if (SystemNamespaces.isOfResharding(collection.namespace())) {
        continue; // What is over is deleted where it comes from.
      }
      RawValue ofCollection = collection.definition().options().get("expireAfterSeconds");
      if (ofCollection != null && collection.definition().isClustered()) {
        lifetimes.add(
            new Lifetime(
                collection.namespace(), collection.idIndex().name(), ofCollection.toLong()));
      }
      for (Index index : collection.indexes()) {
        RawValue seconds = index.definition().expireAfterSeconds();
        if (seconds != null && index.kind() == Index.Kind.ORDERED && !index.isId()) {
          lifetimes.add(new Lifetime(collection.namespace(), index.name(), seconds.toLong()));
        }
      }
    }
    return lifetimes;
  }

  @Override
  public long deleteExpired(Lifetime lifetime, OperationContext operation) {
    long lastDate = operation.clock().wallMillis() - lifetime.seconds() * MILLIS_PER_SECOND;
    long deleted = 0;
    int batch;
    do {
      operation.checkNow();
      batch =
          access.inCollection(
              lifetime.namespace(),
              false,
              operation,
              collection ->
                  collection == null ? 0 : deleteBatch(collection, lifetime, lastDate, operation));
      deleted += batch;
    } while (batch > 0);
    return deleted;
  }

  private int deleteBatch(
      Collection collection, Lifetime lifetime, long lastDate, OperationContext operation) {
    Index index = collection.index(lifetime.index());
    if (index == null || index.kind() != Index.Kind.ORDERED || collection.capped() != null) {
      return 0;
    }
    var range = OldDates.of(index, lastDate);
    OwnedKeys owned = access.ownership().ownedKeys(collection.namespace());
    int deleted = 0;
    try (WriteUnit unit = access.newUnit(collection, operation)) {
      for (long recordId : expired(collection, index, range, owned, operation)) {
        operation.checkInterrupt();
        deleted += delete(unit, collection, index, range, owned, recordId, operation) ? 1 : 0;
        if (unit.sizeBytes() > UNIT_BYTES_MAX) {
          unit.commit(operation);
        }
      }
      unit.commit(operation);
    }
    return deleted;
  }

  /**
   * The records of a batch. Those that are not owned do not count: they would fill batch after
   * batch, and are deleted by what made them orphans.
   */
  private Set<Long> expired(
      Collection collection,
      Index index,
      OldDates range,
      OwnedKeys owned,
      OperationContext operation) {
    var records = new LinkedHashSet<Long>();
    var reader = new RecordReader(collection);
    try (KeyValueCursor entries =
        access.view().cursor(Keyspace.INDEX, range.lower(), range.upper(), false)) {
      while (records.size() < BATCH && entries.next()) {
        operation.checkInterrupt();
        operation.examined(1, 0);
        long recordId =
            index.isUnique()
                ? RecordKeys.recordId(entries.value(), 0)
                : RecordKeys.recordId(
                    entries.key(), entries.keyLength() - RecordKeys.RECORD_ID_BYTES);
        if (owned == null || isOwned(reader.read(access.view(), recordId), owned)) {
          records.add(recordId);
        }
      }
    }
    return records;
  }

  /**
   * @param document null where it is gone
   * @param owned null where all documents count
   */
  private static boolean isOwned(RawDocument document, OwnedKeys owned) {
    return document != null && (owned == null || owned.has(document));
  }

  /**
   * Looks again at the latched document, which may have got another date. One that another write
   * has latched is left for the next time: that may be a transaction, which takes a while.
   */
  private static boolean delete(
      WriteUnit unit,
      Collection collection,
      Index index,
      OldDates range,
      OwnedKeys owned,
      long recordId,
      OperationContext operation) {
    try {
      unit.latch(recordId);
    } catch (LatchConflictException e) {
      return false;
    }
    RawDocument document = unit.readLatched(new RecordReader(collection), recordId);
    if (!isOwned(document, owned) || !range.hasEntryOf(document, index, operation)) {
      return false;
    }
    unit.delete(recordId, document);
    return true;
  }

  /** The keys of an index from the first date to a last one. */
  private record OldDates(byte[] lower, byte[] upper) {
    static OldDates of(Index index, long lastDate) {
      boolean descending = index.isKeyPartDescending(0);
      byte[] last = key(index).append(RawValue.ofDate(lastDate), descending).toByteArray();
      return descending
          ? new OldDates(last, key(index).appendBracketEnd(ElementType.DATE, true).toByteArray())
          : new OldDates(
              key(index).appendBracketStart(ElementType.DATE, false).toByteArray(),
              IndexKeyV1.successor(last, last.length));
    }

    private static IndexKeyV1.Encoder key(Index index) {
      return new IndexKeyV1.Encoder().appendIdent(index.ident());
    }

    boolean hasEntryOf(RawDocument document, Index index, OperationContext operation) {
      var entries = new IndexEntries(operation.query().meter());
      index.collect(document, entries);
      for (int i = 0; i < entries.size(); i++) {
        if (Arrays.compareUnsigned(entries.key(i), lower) >= 0
            && Arrays.compareUnsigned(entries.key(i), upper) < 0) {
          return true;
        }
      }
      return false;
    }
  }
}
