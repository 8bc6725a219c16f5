package dev.wisent.database.exec;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.FindRequest;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The keys that an index ought to have, made from the documents and put in order. */
final class IndexContents {
  private IndexContents() {}

  /**
   * A key of a document.
   *
   * @param keyDocument the same with the names of the fields
   * @param order how many documents were stored before this one
   */
  record Entry(
      byte[] key, RawDocument keyDocument, List<RawValue> values, RawDocument document, int order) {
    int id() {
      return document.get("_id").asInt32();
    }
  }

  static List<Entry> of(Index index, TestDatabase database) {
    var entries = new ArrayList<Entry>();
    var collected = new IndexEntries(WorkMeter.unchecked());
    List<RawDocument> stored =
        database.find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY));
    for (int order = 0; order < stored.size(); order++) {
      index.collect(stored.get(order), collected);
      for (int i = 0; i < collected.size(); i++) {
        RawDocument key = index.keyDocument(collected.key(i), collected.typeBits(i));
        entries.add(new Entry(collected.key(i), key, values(key), stored.get(order), order));
      }
    }
    entries.sort(
        Comparator.comparing(Entry::key, Arrays::compareUnsigned).thenComparing(Entry::order));
    return entries;
  }

  private static List<RawValue> values(RawDocument key) {
    var values = new ArrayList<RawValue>();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      values.add(fields.value().detached());
    }
    return values;
  }
}
