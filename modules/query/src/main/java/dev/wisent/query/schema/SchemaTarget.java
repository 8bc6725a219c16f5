package dev.wisent.query.schema;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** What kind of values a keyword is about. Values of other kinds satisfy it, whatever it says. */
enum SchemaTarget {
  ANY,
  NUMBER,
  STRING,
  ARRAY,
  OBJECT;

  /**
   * @param value null for a missing one
   */
  boolean includes(RawValue value) {
    return this == ANY || (value != null && includes(value.type()));
  }

  boolean includes(byte type) {
    return switch (this) {
      case ANY -> true;
      case NUMBER -> ElementType.isNumber(type);
      case STRING -> type == ElementType.STRING;
      case ARRAY -> type == ElementType.ARRAY;
      case OBJECT -> type == ElementType.DOCUMENT;
    };
  }
}
