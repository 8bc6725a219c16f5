package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.oplog.AppliedCounts;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.query.path.FieldPath;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * A log entry without a local writer: what its mutations change in collections that are open. Keys
 * of an ident that no definition names yet are skipped: they are read from the store when a
 * definition does. So are deletions of ranges: their idents lose their definitions with them.
 */
final class ReplicatedEntry {
  private final Catalog catalog;
  private final StorageEngine storage;
  private final DefinitionChanges definitions;
  private final List<Index.ArrayMark> arrayMarks = new ArrayList<>(0);
  private final List<Collection> grown = new ArrayList<>(1);

  /** Records that are written or deleted, each of the collection in the same place. */
  private Collection[] owners = new Collection[16];

  private long[] recordIds = new long[16];
  private int records;

  /** Counters that change, each by the numbers in the same place. */
  private final List<Collection> counted = new ArrayList<>(1);

  private final List<long[]> counts = new ArrayList<>(1);

  /** The collection that was looked up last: most changes are of the same. */
  private Collection last;

  /** Whether it changes what this node owns as a shard. */
  private boolean changesTables;

  private final AppliedCounts applied;
  private final PreparedTransactions prepared;

  /** What is to be done when the entry is written. */
  private final List<Runnable> afterwards = new ArrayList<>(0);

  ReplicatedEntry(
      Catalog catalog,
      StorageEngine storage,
      List<Mutation> mutations,
      AppliedCounts applied,
      PreparedTransactions prepared) {
    this.prepared = prepared;
    this.catalog = catalog;
    this.applied = applied;
    this.storage = storage;
    this.definitions = new DefinitionChanges(catalog);
    mutations.forEach(this::read);
  }

  private void read(Mutation mutation) {
    var change = new BatchReader(mutation);
    boolean ofPrepared = false;
    while (change.next()) {
      switch (change.keyspace()) {
        case RECORDS -> readRecord(change);
        case CATALOG -> readCatalog(change);
        case OPLOG -> readOplog(change);
        case SYSTEM -> ofPrepared |= PreparedTransactions.isKey(change);
        case INDEX -> {}
      }
    }
    if (ofPrepared) {
      afterwards.add(prepared.replicated(mutation));
    }
  }

  private void readOplog(BatchReader change) {
    if (change.kind() == BatchReader.Kind.PUT) {
      applied.entry(new RawDocument(change.bytes(), change.valueOffset(), change.valueLength()));
    }
  }

  private void readRecord(BatchReader change) {
    Collection owner = collection(RecordKeys.ident(change.bytes(), change.keyOffset()));
    if (owner == null || change.kind() == BatchReader.Kind.DELETE_RANGE) {
      return;
    }
    if (records == owners.length) {
      owners = Arrays.copyOf(owners, 2 * records);
      recordIds = Arrays.copyOf(recordIds, 2 * records);
    }
    owners[records] = owner;
    recordIds[records] =
        RecordKeys.recordId(change.bytes(), change.keyOffset() + RecordKeys.IDENT_BYTES);
    records++;
    if (owner.capped() != null && !grown.contains(owner)) {
      grown.add(owner);
    }
  }

  private Collection collection(int ident) {
    if (last == null || last.ident() != ident) {
      last = catalog.find(ident);
      changesTables |= last != null && catalog.tableChanges().isNumber(last);
    }
    return last;
  }

  private void readCatalog(BatchReader change) {
    if (change.kind() == BatchReader.Kind.DELETE_RANGE) {
      return;
    }
    switch (CatalogKeys.kind(change.bytes(), change.keyOffset())) {
      case COLLECTION -> readDefinition(change);
      case DOCUMENTS -> count(change, 0);
      case BYTES -> count(change, 1);
      case ORPHANS -> countOrphans(change);
      case MULTIKEY, MULTIKEY_PATH -> readArrayMark(change);
      case USED_RECORD_IDS -> readUsedRecordIds(change);
      case OTHER -> {}
    }
  }

  private void readDefinition(BatchReader change) {
    var namespace = CatalogKeys.namespace(change.bytes(), change.keyOffset(), change.keyLength());
    if (change.kind() == BatchReader.Kind.PUT) {
      int end = change.valueOffset() + change.valueLength();
      byte[] stored = Arrays.copyOfRange(change.bytes(), change.valueOffset(), end);
      definitions.put(namespace, CollectionDefinition.decode(RawDocument.of(stored)));
    } else {
      definitions.remove(namespace);
    }
  }

  private void count(BatchReader change, int which) {
    Collection owner = collection(identInCatalog(change));
    if (owner == null || change.kind() != BatchReader.Kind.ADD) {
      return;
    }
    long[] more = {0, 0};
    more[which] = change.delta();
    counted.add(owner);
    counts.add(more);
  }

  private void countOrphans(BatchReader change) {
    Collection owner = collection(identInCatalog(change));
    if (owner == null || change.kind() != BatchReader.Kind.ADD) {
      return;
    }
    long more = change.delta();
    if (more > 0) {
      owner.orphans().adding();
    }
    afterwards.add(() -> owner.orphans().stored(more, more > 0));
  }

  private void readArrayMark(BatchReader change) {
    Index index = catalog.index(identInCatalog(change));
    if (index == null || change.kind() != BatchReader.Kind.PUT) {
      return;
    }
    byte[] key = key(change);
    if (CatalogKeys.kind(key, 0) == CatalogKeys.Kind.MULTIKEY) {
      arrayMarks.add(
          index
              .arrays()
              .replicatedPart(CatalogKeys.multikeyField(key), CatalogKeys.multikeyPart(key)));
    } else {
      String path = CatalogKeys.multikeyPath(key, key.length);
      arrayMarks.add(index.arrays().replicatedPath(FieldPath.of(path)));
    }
  }

  private void readUsedRecordIds(BatchReader change) {
    Collection owner = collection(identInCatalog(change));
    if (owner != null) {
      owner.recordIds().markedBlock(CatalogKeys.usedBlock(key(change)));
    }
  }

  private static byte[] key(BatchReader change) {
    int end = change.keyOffset() + change.keyLength();
    return Arrays.copyOfRange(change.bytes(), change.keyOffset(), end);
  }

  private static int identInCatalog(BatchReader change) {
    return RecordKeys.ident(change.bytes(), change.keyOffset() + 1);
  }

  /**
   * Writes the entry to the store and follows it.
   *
   * @param publishing held while definitions are in the store and not published yet
   */
  void write(Runnable write, Lock publishing) {
    if (changesTables) {
      catalog.tableChanges().around(() -> writeAlone(write, publishing));
    } else {
      writeAlone(write, publishing);
    }
  }

  private void writeAlone(Runnable write, Lock publishing) {
    for (int i = 0; i < records; i++) {
      owners[i].recordCache().beginWrite(owners[i].ident(), recordIds[i]);
    }
    try {
      definitions.around(write, publishing);
    } finally {
      long sequence = storage.sequence();
      for (int i = 0; i < records; i++) {
        owners[i].recordCache().endWrite(owners[i].ident(), recordIds[i], sequence);
        owners[i].changed();
      }
    }
    for (int i = 0; i < records; i++) {
      owners[i].recordIds().seen(recordIds[i]);
    }
    for (int i = 0; i < counted.size(); i++) {
      counted.get(i).count(counts.get(i)[0], counts.get(i)[1]);
    }
    arrayMarks.forEach(Index.ArrayMark::persisted);
    afterwards.forEach(Runnable::run);
    grown.forEach(collection -> collection.tail().signal());
  }
}
