package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Index;
import dev.wisent.storage.RecordKeys;

/** Pieces of index keys for bounds. */
final class KeyClasses {
  private KeyClasses() {}

  /** Whether {@code $gt} and the like with such a value stay within one stretch of keys. */
  static boolean hasRange(byte type) {
    return switch (type) {
      case ElementType.INT32,
          ElementType.INT64,
          ElementType.DOUBLE,
          ElementType.DECIMAL128,
          ElementType.STRING,
          ElementType.OBJECT_ID,
          ElementType.BOOLEAN,
          ElementType.DATE,
          ElementType.TIMESTAMP,
          ElementType.BINARY ->
          true;
      default -> false;
    };
  }

  static byte[] encode(RawValue value, boolean descending) {
    return new IndexKeyV1.Encoder().append(value, descending).toByteArray();
  }

  /** Before all values that compare with this type. */
  static byte[] bracketStart(byte type, boolean descending) {
    return new IndexKeyV1.Encoder().appendBracketStart(type, descending).toByteArray();
  }

  /** After all values that compare with this type. */
  static byte[] bracketEnd(byte type, boolean descending) {
    return new IndexKeyV1.Encoder().appendBracketEnd(type, descending).toByteArray();
  }

  static byte[] start(Index index) {
    return RecordKeys.lowerBound(index.ident());
  }

  static byte[] end(Index index) {
    return RecordKeys.upperBound(index.ident());
  }

  /** A whole key from a document with exactly the fields of the index, as min and max have it. */
  static byte[] encodeAll(Index index, RawDocument values, String option) {
    var encoder = new IndexKeyV1.Encoder().appendIdent(index.ident());
    ElementCursor fields = values.elements();
    for (int i = 0; i < index.fieldCount(); i++) {
      if (!fields.next() || !fields.name().equals(index.path(i).dotted())) {
        throw doesNotFit(option);
      }
      encoder.append(fields.value(), index.isDescending(i));
    }
    if (fields.next()) {
      throw doesNotFit(option);
    }
    return encoder.toByteArray();
  }

  private static CommandException doesNotFit(String option) {
    return new CommandException(
        ErrorCode.HINT_DOES_NOT_FIT_MIN_MAX,
        "Planner returned error: The index chosen is not compatible with " + option + "()");
  }
}
