package dev.wisent.database.collection;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.write.DuplicateKeyException;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import dev.wisent.storage.ScanHint;
import dev.wisent.storage.StorageEngine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Fills new indexes from the records. The collection's exclusive lock keeps writers out. Entries of
 * a build that fails or is cut off belong to idents that no definition names; the next start
 * removes them.
 */
final class IndexBuild {
  private static final int BATCH_BYTES = 4 << 20;

  private final StorageEngine storage;
  private final CommitLog log;
  private final Collection collection;
  private final List<Index> indexes;
  private final IndexEntries entries = new IndexEntries();
  private final MutationBuilder batch = new MutationBuilder();
  private final Set<UniqueKey> uniqueInBatch = new HashSet<>();

  private record UniqueKey(String bytes) {
    static UniqueKey of(byte[] key) {
      return new UniqueKey(new String(key, java.nio.charset.StandardCharsets.ISO_8859_1));
    }
  }

  IndexBuild(
      StorageEngine storage,
      CommitLog log,
      Collection collection,
      List<IndexDefinition> definitions) {
    this.storage = storage;
    this.log = log;
    this.collection = collection;
    this.indexes = definitions.stream().map(definition -> Index.open(definition, storage)).toList();
  }

  void run(OperationContext operation) {
    int ident = collection.ident();
    try (KeyValueCursor records =
        storage.cursor(
            Keyspace.RECORDS,
            RecordKeys.lowerBound(ident),
            RecordKeys.upperBound(ident),
            false,
            ScanHint.BULK)) {
      while (records.next()) {
        operation.checkInterrupt();
        long recordId = RecordKeys.recordId(records.key());
        var document = new RawDocument(records.value(), 0, records.valueLength());
        for (Index index : indexes) {
          add(index, document, recordId);
        }
        if (batch.sizeBytes() > BATCH_BYTES) {
          flush();
        }
      }
    }
    flush();
  }

  private void add(Index index, RawDocument document, long recordId) {
    index.collect(document, entries);
    for (int i = 0; i < entries.size(); i++) {
      byte[] key = entries.key(i);
      if (!index.isUnique()) {
        batch.put(Keyspace.INDEX, Index.withRecordId(key, recordId), entries.typeBits(i));
        continue;
      }
      if (!uniqueInBatch.add(UniqueKey.of(key)) || storage.get(Keyspace.INDEX, key) != null) {
        throw new DuplicateKeyException(
            collection.namespace(),
            index.name(),
            index.definition().key(),
            index.keyDocument(key, entries.typeBits(i)));
      }
      batch.put(Keyspace.INDEX, key, Index.uniqueValue(recordId, entries.typeBits(i)));
    }
    for (Index.ArrayMark mark : index.newArrayMarks(entries)) {
      batch.put(Keyspace.CATALOG, mark.key(), new byte[0]);
      mark.persisted();
    }
  }

  private void flush() {
    if (!batch.isEmpty()) {
      log.submit(batch.build()).awaitApplied();
      batch.reset();
      uniqueInBatch.clear();
    }
  }
}
