package dev.wisent.database.check;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.DocumentValidator;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.ArrayMarks;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.RecordSpace;
import dev.wisent.storage.ScanHint;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares a collection with its indexes and counters in one snapshot: each document is well-formed
 * BSON, each of its keys is in the index with its record id, and no index has an entry more.
 */
public final class CollectionValidator {
  private static final int ERRORS_MAX = 100;

  private final StorageEngine storage;
  private final Collection collection;
  private final OperationContext operation;
  private final List<String> errors = new ArrayList<>();
  private final Map<String, List<String>> indexErrors = new LinkedHashMap<>();
  private final Map<String, Long> expectedKeys = new HashMap<>();
  private final Map<String, ArrayMarks> arrayMarks = new HashMap<>();
  private final IndexEntries entries;
  private long records;
  private long bytes;
  private long invalid;

  public CollectionValidator(
      StorageEngine storage, Collection collection, OperationContext operation) {
    this.storage = storage;
    this.collection = collection;
    this.operation = operation;
    this.entries = new IndexEntries(operation.query().meter());
  }

  public ValidationReport run() {
    List<Index> indexes;
    Snapshot snapshot;
    operation.acquire(collection.definitionLock());
    try {
      indexes = collection.indexes();
      snapshot = storage.snapshot();
    } finally {
      collection.definitionLock().unlock();
    }
    try (snapshot) {
      for (Index index : indexes) {
        indexErrors.put(index.name(), new ArrayList<>());
        arrayMarks.put(index.name(), index.storedArrays(snapshot));
      }
      checkRecords(snapshot, indexes);
      var keysPerIndex = new LinkedHashMap<String, Long>();
      for (Index index : indexes) {
        keysPerIndex.put(index.name(), checkEntries(snapshot, index));
      }
      checkCounters(snapshot);
      return new ValidationReport(records, invalid, keysPerIndex, indexErrors, errors);
    }
  }

  /** Looks at definitions only: those of indexes were checked when they were loaded. */
  public ValidationReport metadata() {
    for (Index index : collection.indexes()) {
      indexErrors.put(index.name(), List.of());
    }
    return new ValidationReport(0, 0, Map.of(), indexErrors, errors);
  }

  private void checkRecords(ReadView view, List<Index> indexes) {
    RecordSpace space = collection.records();
    try (KeyValueCursor cursor =
        view.cursor(
            space.keyspace(), space.lowerBound(), space.upperBound(), false, ScanHint.BULK)) {
      while (cursor.next()) {
        operation.checkInterrupt();
        records++;
        bytes += cursor.valueLength();
        long recordId = space.recordId(cursor.key());
        var document = new RawDocument(cursor.value(), 0, cursor.valueLength());
        if (isWellFormed(document, recordId)) {
          for (Index index : indexes) {
            checkKeys(view, index, document, recordId);
          }
        }
      }
    }
  }

  private boolean isWellFormed(RawDocument document, long recordId) {
    try {
      DocumentValidator.validate(
          document.bytes(), 0, document.length(), Limits.NESTING_DEPTH_MAX_INTERNAL);
    } catch (CommandException e) {
      invalid++;
      report(errors, "document of record " + recordId + " is damaged: " + e.getMessage());
      return false;
    }
    if (document.get("_id") == null && !collection.isOplog()) {
      invalid++;
      report(errors, "document of record " + recordId + " has no _id");
      return false;
    }
    return true;
  }

  private void checkKeys(ReadView view, Index index, RawDocument document, long recordId) {
    index.collect(document, entries);
    expectedKeys.merge(index.name(), (long) entries.size(), Long::sum);
    for (int i = 0; i < entries.size(); i++) {
      byte[] expected =
          index.isUnique()
              ? IndexEntries.uniqueValue(recordId, entries.typeBits(i))
              : entries.typeBits(i);
      byte[] key =
          index.isUnique() ? entries.key(i) : IndexEntries.withRecordId(entries.key(i), recordId);
      byte[] stored = view.get(Keyspace.INDEX, key);
      if (stored == null) {
        report(indexErrors.get(index.name()), "record " + recordId + " has no entry");
      } else if (!Arrays.equals(stored, expected)) {
        report(indexErrors.get(index.name()), "entry of record " + recordId + " differs");
      }
    }
    if (!arrayMarks.get(index.name()).cover(entries)) {
      report(
          indexErrors.get(index.name()),
          "record " + recordId + " has an array but the index is not marked as multikey");
    }
  }

  /** With all expected entries found, an index with the same number of entries has no others. */
  private long checkEntries(ReadView view, Index index) {
    long count = 0;
    try (KeyValueCursor cursor =
        view.cursor(
            Keyspace.INDEX,
            RecordKeys.lowerBound(index.ident()),
            RecordKeys.upperBound(index.ident()),
            false,
            ScanHint.BULK)) {
      while (cursor.next()) {
        operation.checkInterrupt();
        count++;
      }
    }
    long expected = expectedKeys.getOrDefault(index.name(), 0L);
    if (count != expected) {
      report(
          indexErrors.get(index.name()),
          "has " + count + " entries, but the documents make " + expected);
    }
    return count;
  }

  private void checkCounters(ReadView view) {
    long storedRecords;
    long storedBytes;
    if (collection.isOplog()) {
      storedRecords = view.counter(Keyspace.SYSTEM, OplogKeys.entries());
      storedBytes = view.counter(Keyspace.SYSTEM, OplogKeys.bytes());
    } else {
      storedRecords = view.counter(Keyspace.CATALOG, CatalogKeys.documents(collection.ident()));
      storedBytes = view.counter(Keyspace.CATALOG, CatalogKeys.bytes(collection.ident()));
    }
    if (storedRecords != records) {
      report(errors, "count is " + storedRecords + ", but there are " + records + " documents");
    }
    if (storedBytes != bytes) {
      report(errors, "size is " + storedBytes + ", but the documents have " + bytes + " bytes");
    }
  }

  private static void report(List<String> to, String error) {
    if (to.size() < ERRORS_MAX) {
      to.add(error);
    }
  }
}
