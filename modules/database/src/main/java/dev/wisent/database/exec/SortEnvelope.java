package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;

/**
 * A row on its way through a sort, where more is needed of it than its document: behind the fields
 * that the sort looks at there is one more with the key that the row was found by. Its name is none
 * that a sort can have.
 */
final class SortEnvelope {
  private static final String KEY = "$key";
  private static final byte[] KEY_BYTES = KEY.getBytes(StandardCharsets.US_ASCII);

  private SortEnvelope() {}

  static RawDocument wrap(Step row) {
    var envelope = new BsonBuilder();
    RawDocument key = row.keyDocument();
    envelope.appendAll(row.document() != null ? row.document() : NestedFields.of(key));
    envelope.startDocument(KEY);
    if (key != null) {
      envelope.appendDocument("values", key);
    }
    if (row.index() != null) {
      envelope.appendInt32("ident", row.index().ident());
      envelope.appendBinary("key", (byte) 0, row.indexKey());
    }
    envelope.end();
    return envelope.toDocument();
  }

  /** The document that was wrapped. */
  static RawDocument document(RawDocument envelope) {
    var document = new BsonBuilder(envelope.length());
    ElementCursor elements = envelope.elements();
    while (elements.next()) {
      if (!elements.nameEquals(KEY_BYTES)) {
        document.appendElement(elements);
      }
    }
    return document.toDocument();
  }

  /** The values of the key under the paths of the index; null if there was none. */
  static RawDocument keyDocument(RawDocument envelope) {
    RawDocument key = key(envelope);
    return key.get("values") == null ? null : key.get("values").asDocument();
  }

  /** The number of the index that the row was found by; -1 for none. */
  static int ident(RawDocument envelope) {
    RawDocument key = key(envelope);
    return key.get("ident") == null ? -1 : key.get("ident").asInt32();
  }

  static byte[] indexKey(RawDocument envelope) {
    return key(envelope).get("key").asBinary();
  }

  private static RawDocument key(RawDocument envelope) {
    return envelope.get(KEY_BYTES).asDocument();
  }
}
