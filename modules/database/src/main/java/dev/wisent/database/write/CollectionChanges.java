package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CounterDelta;
import dev.wisent.database.collection.DuplicateKeys;
import dev.wisent.database.collection.LatchTable;
import dev.wisent.database.collection.RecordIdSet;
import dev.wisent.database.collection.RecordIds;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.database.oplog.OplogEntries;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes what inserts, updates and deletes of one collection change: records, index entries,
 * counters, oplog entries and images of documents before their change, as seen in a given scope,
 * into a given mutation. It neither latches records nor commits.
 *
 * <p>A change that fails leaves everything as it was before: {@link DuplicateKeyException} for a
 * unique key, {@link LatchConflictException} when another write holds the key.
 */
final class CollectionChanges {
  private final Collection collection;
  private final Scope scope;
  private final LatchTable.Holder latches;
  private final MutationBuilder mutation;
  private final IndexEntries oldEntries;
  private final IndexEntries newEntries;
  private final byte[] recordKey = new byte[RecordKeys.RECORD_KEY_BYTES];
  private final List<Index.ArrayMark> arrayMarks = new ArrayList<>(0);

  /** The records that are changed, for an index that is being built; null if there is none. */
  private final RecordIdSet changed;

  /** Null where no oplog is kept of the collection. */
  private final OplogEntries oplog;

  /** Null where documents are not kept as they were before changes. */
  private final PreImageWriter preImages;

  private final long changeBytesMax;

  private final CounterDelta counters;

  private long greatestDeleted;

  /** What uniqueness and marks of arrays are checked against, and who latches. */
  interface Scope {
    /** Latches a unique key that gets or loses its record; throws if that cannot be. */
    void latchKey(Index index, byte[] key);

    /** Whether a latched key belongs to another record; if not, it is about to be added. */
    boolean isTaken(Index index, byte[] key, long recordId);

    /**
     * Has a document that this node does not own give way to one that it owns.
     *
     * @param document the one that needs the key
     * @throws OrphanConflictException if such a document holds the key
     */
    void checkOrphan(Index index, byte[] key, RawDocument document, DuplicateKeyException error);

    /** Whether this node, as a shard, does not own a document. */
    boolean isOrphan(RawDocument document);

    /** Whether marks are stored at once, and not with the changes. */
    default boolean storesAtOnce(List<Index.ArrayMark> marks) {
      return false;
    }
  }

  /**
   * Where changes go.
   *
   * @param latches of the scope
   * @param changeBytesMax how much one change may add to the mutation
   */
  record Target(MutationBuilder mutation, LatchTable.Holder latches, long changeBytesMax) {}

  /**
   * @param oplog null where no oplog is kept of the collection
   * @param preImages null where documents are not kept as they were before changes
   */
  CollectionChanges(
      Collection collection,
      Scope scope,
      Target target,
      OplogEntries oplog,
      PreImageWriter preImages,
      WorkMeter meter) {
    this.collection = collection;
    this.counters = new CounterDelta(collection);
    this.scope = scope;
    this.mutation = target.mutation();
    this.latches = target.latches();
    this.changeBytesMax = target.changeBytesMax();
    this.oplog = oplog;
    this.preImages = preImages;
    this.oldEntries = new IndexEntries(meter);
    this.newEntries = new IndexEntries(meter);
    this.changed = collection.watch().isWatched() ? new RecordIdSet() : null;
  }

  /** The state before a change, to go back there if that fails. */
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
      int added = mutation.sizeBytes() - bytes;
      if (added > changeBytesMax) {
        throw new CommandException(
            ErrorCode.BSON_OBJECT_TOO_LARGE,
            "The document with its index keys and oplog entry needs "
                + added
                + " bytes, and the log takes "
                + changeBytesMax);
      }
    }
  }

  /** Adds a document under a new record id. */
  long insert(RawDocument document) {
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
    counters.add(1, document.length());
    countOrphan(document, 1);
    return recordId;
  }

  /**
   * Replaces a latched record by what an update made of it.
   *
   * @param replaced whether the update was the whole new document
   */
  void update(long recordId, RawDocument before, UpdateOutcome outcome, boolean replaced) {
    RawDocument after = outcome.document();
    var start = new Mark();
    int imageBytes = 0;
    try {
      for (Index index : collection.indexes()) {
        if (!index.isId() && index.mayBeAffectedBy(outcome.touched())) {
          changeEntries(index, recordId, before, after);
          start.requireFits();
        }
      }
      putRecord(recordId, after);
      if (oplog != null) {
        mutation.oplogEntry(oplog.update(before, outcome, replaced));
      }
      imageBytes = attachPreImage(before);
      start.requireFits();
    } catch (RuntimeException e) {
      start.goBack();
      throw e;
    }
    countPreImage(imageBytes);
    counters.add(0, after.length() - before.length());
    countOrphan(before, -1);
    countOrphan(after, 1);
  }

  /** Removes a latched record. */
  void delete(long recordId, RawDocument before) {
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
    countPreImage(attachPreImage(before));
    greatestDeleted = Math.max(greatestDeleted, recordId);
    counters.add(-1, -before.length());
    countOrphan(before, -1);
  }

  private void countOrphan(RawDocument document, int more) {
    if (scope.isOrphan(document)) {
      counters.addOrphans(more);
    }
  }

  /** Keeps a document as it was, beside the oplog entry of its change; 0 if it is not kept. */
  private int attachPreImage(RawDocument before) {
    return preImages == null ? 0 : preImages.attach(before, mutation);
  }

  private void countPreImage(int bytes) {
    if (preImages != null) {
      preImages.count(bytes);
    }
  }

  /** The greatest record id that is deleted; 0 for none. */
  long greatestDeleted() {
    return greatestDeleted;
  }

  /** How many documents and bytes more there are with the changes. */
  CounterDelta counters() {
    return counters;
  }

  /** The records that are changed, for an index that is being built; null if there is none. */
  RecordIdSet changedRecords() {
    return changed;
  }

  /** Completes the mutation with the counters. */
  void writeCounters() {
    counters.write(mutation);
    if (preImages != null) {
      preImages.writeCounters(mutation);
    }
  }

  /** Brings the collection's state in memory up to date after the commit. */
  void committed() {
    counters.committed();
    collection.recordIds().marked(greatestDeleted);
    arrayMarks.forEach(Index.ArrayMark::persisted);
    if (preImages != null) {
      preImages.committed();
    }
  }

  /** Forgets all changes; the mutation is reset, too. */
  void reset() {
    mutation.reset();
    arrayMarks.clear();
    if (changed != null) {
      changed.clear();
    }
    greatestDeleted = 0;
    counters.reset();
    if (preImages != null) {
      preImages.reset();
    }
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
        if (index.refusesDuplicates()) {
          scope.latchKey(index, key);
        }
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
      scope.latchKey(index, key);
      if (scope.isTaken(index, key, recordId)) {
        DuplicateKeyException error =
            DuplicateKeys.of(
                collection.namespace(),
                index,
                index.isId()
                    ? idKey(index, document)
                    : index.keyDocument(key, newEntries.typeBits(i)));
        scope.checkOrphan(index, key, document, error);
        throw error;
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

  private void removeEntry(Index index, byte[] key, long recordId) {
    byte[] full = index.isUnique() ? key : IndexEntries.withRecordId(key, recordId);
    mutation.delete(Keyspace.INDEX, full);
  }

  private void noteArrays(Index index) {
    List<Index.ArrayMark> missing = index.arrays().missing(newEntries);
    if (missing.isEmpty() || scope.storesAtOnce(missing)) {
      return;
    }
    for (Index.ArrayMark mark : missing) {
      mutation.put(Keyspace.CATALOG, mark.key(), new byte[0]);
      arrayMarks.add(mark);
    }
  }
}
