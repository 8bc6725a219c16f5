package dev.wisent.tools.migrate;

import java.nio.ByteBuffer;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * The {@code _id} of a document, compared by its bytes. Values of the driver are equal where fields
 * of documents have another order, which are two ids to a server.
 */
final class DocumentKey {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final BsonValue id;
  private final ByteBuffer bytes;

  private DocumentKey(BsonValue id) {
    this.id = id;
    this.bytes = new RawBsonDocument(new BsonDocument("_id", id), CODEC).getByteBuffer().asNIO();
  }

  static DocumentKey of(BsonDocument document) {
    return new DocumentKey(document.get("_id"));
  }

  BsonValue id() {
    return id;
  }

  /** How large a document with nothing but the key is. */
  int size() {
    return bytes.remaining();
  }

  /** A number that is the same on both sides. */
  int bucket(int buckets) {
    return Math.floorMod(bytes.hashCode(), buckets);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DocumentKey key && key.bytes.equals(bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /** As in Extended JSON. */
  @Override
  public String toString() {
    String json = new BsonDocument("_id", id).toJson();
    return json.substring(json.indexOf(':') + 1, json.length() - 1).strip();
  }
}
