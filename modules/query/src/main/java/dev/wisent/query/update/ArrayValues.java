package dev.wisent.query.update;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** Arrays as lists of values, and back. */
final class ArrayValues {
  private static final int ELEMENT_OVERHEAD_BYTES = 8;

  private ArrayValues() {}

  static List<RawValue> of(RawValue array) {
    var values = new ArrayList<RawValue>();
    ElementCursor cursor = array.elements();
    while (cursor.next()) {
      values.add(cursor.value());
    }
    return values;
  }

  static RawValue toArray(List<RawValue> values) {
    return append(RawDocument.EMPTY, 0, values);
  }

  /** The array with the values after its own; its own bytes are copied as they are. */
  static RawValue append(RawValue array, List<RawValue> values) {
    RawDocument elements = array.asDocument();
    return append(elements, elements.fieldCount(), values);
  }

  private static RawValue append(RawDocument elements, int count, List<RawValue> values) {
    int bytes = elements.length();
    for (RawValue value : values) {
      bytes += value.length() + ELEMENT_OVERHEAD_BYTES;
    }
    var builder = new BsonBuilder(bytes).appendAll(elements);
    int index = count;
    for (RawValue value : values) {
      builder.append(index++, value);
    }
    builder.end();
    return new RawValue(ElementType.ARRAY, builder.bytes(), 0, builder.position());
  }
}
