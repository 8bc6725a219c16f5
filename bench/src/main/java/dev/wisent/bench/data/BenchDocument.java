package dev.wisent.bench.data;

import org.bson.RawBsonDocument;

/** A document to store, independent of the form that a target takes. */
public interface BenchDocument {
  String id();

  /** Writes all fields but the id. */
  void writeFields(FieldSink sink);

  /** The document as BSON with {@code _id} first. */
  default RawBsonDocument bson() {
    return BsonSink.encode(this);
  }

  /** The fields as JSON, without the id, which relational targets keep in a column. */
  default String json() {
    return JsonSink.encode(this);
  }
}
