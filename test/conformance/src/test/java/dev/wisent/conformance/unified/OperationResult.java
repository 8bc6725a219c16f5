package dev.wisent.conformance.unified;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * What an operation returned.
 *
 * @param value the result in the test format's shape, or null when there is none
 * @param entity what {@code saveResultAsEntity} stores, or null when the operation has no result
 */
record OperationResult(BsonValue value, Object entity) {

  static OperationResult none() {
    return new OperationResult(null, null);
  }

  static OperationResult of(BsonValue value) {
    return new OperationResult(value, value);
  }

  static OperationResult ofAll(List<? extends BsonValue> values) {
    return of(new BsonArray(values));
  }

  /** A document that may be missing, which the format writes as null. */
  static OperationResult ofNullable(BsonDocument document) {
    return of(document == null ? BsonNull.VALUE : document);
  }

  static OperationResult entity(Object entity) {
    return new OperationResult(null, entity);
  }
}
