package dev.wisent.database.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.index.Index;
import dev.wisent.operation.IndexViolationException;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Looks for keys that documents share in an index that is not unique. */
final class SharedKeys {
  /** What of the violations is reported, so that a reply has room for it. */
  private static final int REPORT_BYTES_MAX = 8 << 20;

  private final ReadView view;
  private final Collection collection;
  private final BsonBuilder violations = new BsonBuilder();
  private int found;

  SharedKeys(ReadView view, Collection collection) {
    this.view = view;
    this.collection = collection;
  }

  /** Throws with the identifiers of documents that share a key. */
  void refuse(Index index, OperationContext operation) {
    try (KeyValueCursor entries =
        view.cursor(
            Keyspace.INDEX,
            RecordKeys.lowerBound(index.ident()),
            RecordKeys.upperBound(index.ident()),
            false)) {
      byte[] key = new byte[0];
      List<Long> records = new ArrayList<>();
      while (entries.next()) {
        operation.checkInterrupt();
        int length = entries.keyLength() - RecordKeys.RECORD_ID_BYTES;
        if (!Arrays.equals(entries.key(), 0, length, key, 0, key.length)) {
          report(records);
          key = Arrays.copyOf(entries.key(), length);
        }
        records.add(RecordKeys.recordId(entries.key(), length));
      }
      report(records);
    }
    if (found > 0) {
      throw new IndexViolationException(violations.toDocument());
    }
  }

  private void report(List<Long> records) {
    if (records.size() > 1 && violations.position() < REPORT_BYTES_MAX) {
      violations.startDocument(found++);
      violations.startArray("ids");
      for (int i = 0; i < records.size(); i++) {
        violations.append(i, idOf(records.get(i)));
      }
      violations.end();
      violations.end();
    }
    records.clear();
  }

  private RawValue idOf(long recordId) {
    byte[] key = new byte[RecordKeys.RECORD_KEY_BYTES];
    RecordKeys.writeRecordKey(key, collection.ident(), recordId);
    return RawDocument.of(view.get(Keyspace.RECORDS, key)).get("_id");
  }
}
