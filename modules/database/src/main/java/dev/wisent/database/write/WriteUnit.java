package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.DuplicateKeys;
import dev.wisent.database.collection.Index;
import dev.wisent.database.collection.IndexEntries;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.RecordIdSet;
import dev.wisent.database.collection.RecordIds;
import dev.wisent.database.exec.RecordReader;
import dev.wisent.database.oplog.OplogEntries;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes to one collection that become one mutation: records, index entries and counters together.
 * It latches what it changes until the commit is known. The caller holds the collection's shared
 * lock for as long as the unit lives.
 *
 * <p>A change that fails leaves the unit as it was before: {@link DuplicateKeyException} for a
 * unique key, {@link LatchConflictException} when another unit is in the way.
 */
public final class WriteUnit implements AutoCloseable {
  /** Of the log's limit: for the changes before the last one, counters and the session's record. */
  private static final int RESERVED_BYTES = 2 << 20;

  private final Collection collection;
  private final ReadView view;
  private final LatchTable.Holder latches;
  private final MutationBuilder mutation;
  private final IndexEntries oldEntries;
  private final IndexEntries newEntries;
  private final byte[] recordKey = new byte[RecordKeys.RECORD_KEY_BYTES];
  private final List<Index.ArrayMark> arrayMarks = new ArrayList<>(0);
  private final UnitVersions versions;

  /** The records that are changed, for an index that is being built; null if there is none. */
  private final RecordIdSet changed;

  /** What remembers the statements that are done; null for an ordinary write. */
  private final RetryableStatements retryable;

  /** Null where no oplog is kept of the collection. */
  private final OplogEntries oplog;

  private final long changeBytesMax;

  private long greatestDeleted;
  private long moreDocuments;
  private long moreBytes;

  WriteUnit(Collection collection, WriteAccess access, OperationContext operation) {
    this.collection = collection;
    this.view = access.view();
    this.latches = access.latches().newHolder();
    this.versions = new UnitVersions(collection, access, latches, operation);
    this.oldEntries = new IndexEntries(operation.query().meter());
    this.newEntries = new IndexEntries(operation.query().meter());
    this.mutation = new MutationBuilder();
    this.changed = collection.watch().isWatched() ? new RecordIdSet() : null;
    this.retryable = OperationState.statements(operation);
    this.oplog =
        access.log().keepsOplog() && collection.namespace().isReplicated()
            ? new OplogEntries(collection.definition(), retryable)
            : null;
    this.changeBytesMax = access.log().mutationBytesMax() - RESERVED_BYTES;
  }

  public boolean isEmpty() {
    return mutation.isEmpty();
  }

  public int sizeBytes() {
    return mutation.sizeBytes();
  }

  public int changeCount() {
    return mutation.changeCount();
  }

  /** Where the unit stands before a change, to go back there if that fails. */
  private final class Mark {
    private final MutationBuilder.Position position = mutation.position();
    private final int bytes = mutation.sizeBytes();
    private final int latch = latches.mark();
    private final int arrayMark = arrayMarks.size();

    void goBack() {
      mutation.truncate(position);
      latches.releaseAfter(latch);
      // A mark that is not written must not count as stored when the rest is committed.
      arrayMarks.subList(arrayMark, arrayMarks.size()).clear();
    }

    /** A change that the log would refuse is an error of this one document. */
    void requireFits() {
      int changed = mutation.sizeBytes() - bytes;
      if (changed > changeBytesMax) {
        throw new CommandException(
            ErrorCode.BSON_OBJECT_TOO_LARGE,
            "The document with its index keys and oplog entry needs "
                + changed
                + " bytes, and the log takes "
                + changeBytesMax);
      }
    }
  }

  /** Latches a record so that no other writer changes it. */
  public void latch(long recordId) {
    LatchTable.Conflict conflict = latches.latchRecord(collection.ident(), recordId);
    if (conflict != null && !conflict.isWith(latches)) {
      throw new LatchConflictException(conflict);
    }
  }

  /** A latched record as the unit has to take it; null if it does not exist. */
  public RawDocument readLatched(RecordReader reader, long recordId) {
    return versions.read(reader, recordId);
  }

  /** Adds a document under a new record id. */
  public long insert(RawDocument document) {
    long recordId = collection.recordIds().next();
    var start = new Mark();
    try {
      for (Index index : collection.indexes()) {
        index.collect(document, newEntries);
        for (int i = 0; i < newEntries.size(); i++) {
          addEntry(index, i, recordId, document);
        }
        noteArrays(index);
        start.requireFits();
      }
      putRecord(recordId, document);
      if (oplog != null) {
        mutation.oplogEntry(oplog.insert(document));
      }
      start.requireFits();
    } catch (RuntimeException e) {
      start.goBack();
      throw e;
    }
    moreDocuments++;
    moreBytes += document.length();
    if (retryable != null) {
      retryable.inserted(document);
    }
    return recordId;
  }

  /**
   * Replaces a latched record by what an update made of it.
   *
   * @param replaced whether the update was the whole new document
   */
  public void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced) {
    RawDocument after = outcome.document();
    var start = new Mark();
    try {
      for (Index index : collection.indexes()) {
        if (!index.isId() && index.mayBeAffectedBy(outcome.touched())) {
          changeEntries(index, recordId, before, after);
          start.requireFits();
        }
      }
      putRecord(recordId, after);
      if (oplog != null) {
        mutation.oplogEntry(oplog.update(before, after, replaced));
      }
      start.requireFits();
    } catch (RuntimeException e) {
      start.goBack();
      throw e;
    }
    moreBytes += after.length() - before.length();
    versions.update(recordId, after);
    if (retryable != null) {
      retryable.updated(before, after);
    }
  }

  /** Removes a latched record. */
  public void delete(long recordId, RawDocument before) {
    for (Index index : collection.indexes()) {
      index.collect(before, oldEntries);
      for (int i = 0; i < oldEntries.size(); i++) {
        removeEntry(index, oldEntries.key(i), recordId);
      }
    }
    noteChange(recordId);
    RecordKeys.writeRecordKey(recordKey, collection.ident(), recordId);
    mutation.delete(Keyspace.RECORDS, recordKey, 0, recordKey.length);
    if (!collection.recordIds().isMarked(recordId)) {
      byte[] mark = CatalogKeys.usedRecordIds(collection.ident(), RecordIds.block(recordId));
      mutation.put(Keyspace.CATALOG, mark, new byte[0]);
    }
    if (oplog != null) {
      mutation.oplogEntry(oplog.delete(before));
    }
    greatestDeleted = Math.max(greatestDeleted, recordId);
    moreDocuments--;
    moreBytes -= before.length();
    versions.delete(recordId);
    if (retryable != null) {
      retryable.deleted(before);
    }
  }

  /** Documents of the collection as they will be after this unit. */
  public long documentsAfter() {
    return collection.documents() + moreDocuments;
  }

  public long bytesAfter() {
    return collection.dataBytes() + moreBytes;
  }

  /** Commits everything so far and lets go of the latches; the unit can then be used again. */
  public void commit(OperationContext operation) {
    if (mutation.isEmpty()) {
      latches.close();
      versions.awaitRead();
      return;
    }
    try {
      if (moreDocuments != 0) {
        mutation.add(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()), moreDocuments);
      }
      if (moreBytes != 0) {
        mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()), moreBytes);
      }
      if (retryable != null) {
        retryable.write(mutation);
      }
      OperationState.committed(operation, versions.commit(mutation.build(), changed));
      if (retryable != null) {
        retryable.committed();
      }
      collection.count(moreDocuments, moreBytes);
      collection.recordIds().marked(greatestDeleted);
      arrayMarks.forEach(Index.ArrayMark::persisted);
    } finally {
      rollBack();
    }
  }

  /** Drops what was not committed; the unit can then be used again. */
  public void rollBack() {
    latches.close();
    mutation.reset();
    if (retryable != null) {
      retryable.rolledBack();
    }
    arrayMarks.clear();
    versions.clear();
    if (changed != null) {
      changed.clear();
    }
    greatestDeleted = 0;
    moreDocuments = 0;
    moreBytes = 0;
  }

  @Override
  public void close() {
    rollBack();
    versions.awaitRead();
  }

  private void noteChange(long recordId) {
    // One that is taken back stays noted, and is then found to be as it was.
    if (changed != null) {
      changed.add(recordId);
    }
  }

  private void putRecord(long recordId, RawDocument document) {
    noteChange(recordId);
    RecordKeys.writeRecordKey(recordKey, collection.ident(), recordId);
    mutation.put(
        Keyspace.RECORDS,
        recordKey,
        0,
        recordKey.length,
        document.bytes(),
        document.offset(),
        document.length());
  }

  private void changeEntries(Index index, long recordId, RawDocument before, RawDocument after) {
    index.collect(before, oldEntries);
    index.collect(after, newEntries);
    // First, for {a: 1} and {a: [1]} have the same entry.
    noteArrays(index);
    if (oldEntries.sameAs(newEntries)) {
      return;
    }
    for (int i = 0; i < oldEntries.size(); i++) {
      byte[] key = oldEntries.key(i);
      if (newEntries.find(key) < 0) {
        latchKey(index, key);
        removeEntry(index, key, recordId);
      }
    }
    for (int i = 0; i < newEntries.size(); i++) {
      int old = oldEntries.find(newEntries.key(i));
      if (old < 0) {
        addEntry(index, i, recordId, after);
      } else if (!Arrays.equals(oldEntries.typeBits(old), newEntries.typeBits(i))) {
        // The key is this record's already; only the type of a number is another one.
        putEntry(index, i, recordId);
      }
    }
  }

  private void addEntry(Index index, int i, long recordId, RawDocument document) {
    if (index.refusesDuplicates()) {
      byte[] key = newEntries.key(i);
      latchKey(index, key);
      if (index.isTaken(key, recordId, view)) {
        throw DuplicateKeys.of(
            collection.namespace(),
            index,
            index.isId() ? idKey(index, document) : index.keyDocument(key, newEntries.typeBits(i)));
      }
    }
    putEntry(index, i, recordId);
  }

  /** Keys of an {@code _id} index do not tell the types of numbers; the document does. */
  private static RawDocument idKey(Index index, RawDocument document) {
    RawValue key = Collation.key(index.collation(), document.get("_id"));
    return new BsonBuilder().append("_id", key).toDocument();
  }

  private void putEntry(Index index, int i, long recordId) {
    byte[] key = newEntries.key(i);
    byte[] typeBits = newEntries.typeBits(i);
    if (index.isUnique()) {
      mutation.put(Keyspace.INDEX, key, IndexEntries.uniqueValue(recordId, typeBits));
    } else {
      mutation.put(Keyspace.INDEX, IndexEntries.withRecordId(key, recordId), typeBits);
    }
  }

  /**
   * Latches a unique key that gets or loses its record. It may be this unit that has it, for a
   * document before this one: whose the key is shows only after the commit, so that is a conflict
   * too.
   */
  private void latchKey(Index index, byte[] key) {
    if (index.refusesDuplicates()) {
      LatchTable.Conflict conflict = latches.latchKey(index.ident(), key);
      if (conflict != null) {
        throw new LatchConflictException(conflict);
      }
    }
  }

  private void removeEntry(Index index, byte[] key, long recordId) {
    byte[] full = index.isUnique() ? key : IndexEntries.withRecordId(key, recordId);
    mutation.delete(Keyspace.INDEX, full);
  }

  private void noteArrays(Index index) {
    for (Index.ArrayMark mark : index.arrays().missing(newEntries)) {
      mutation.put(Keyspace.CATALOG, mark.key(), new byte[0]);
      arrayMarks.add(mark);
    }
  }
}
