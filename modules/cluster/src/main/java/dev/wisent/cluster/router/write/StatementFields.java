package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/** Fields that several kinds of statements have, as a shard gets them. */
final class StatementFields {
  private StatementFields() {}

  static void append(BsonBuilder out, RawValue hint, CollationChoice collation) {
    if (hint != null) {
      out.append("hint", hint);
    }
    if (!collation.isInherited()) {
      out.appendDocument("collation", collation.document());
    }
  }

  /** Appends nothing where there are none. */
  static void appendArray(BsonBuilder out, String name, List<RawDocument> documents) {
    if (documents.isEmpty()) {
      return;
    }
    out.startArray(name);
    for (int i = 0; i < documents.size(); i++) {
      out.appendDocument(i, documents.get(i));
    }
    out.end();
  }
}
