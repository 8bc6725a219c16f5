package dev.wisent.database.collection;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

final class DraftExtractor {
  private final Index index;

  DraftExtractor(Index index) {
    this.index = index;
  }

  void collect(RawDocument document, IndexEntries entries) {
    var encoder = new IndexKeyV1.Encoder().appendIdent(index.ident());
    for (int i = 0; i < index.fieldCount(); i++) {
      RawValue v = document.get(index.path(i).dotted());
      encoder.append(v == null ? RawValue.NULL : v, index.isDescending(i));
    }
    entries.add(encoder.toByteArray(), encoder.typeBitsToByteArray());
  }
}
