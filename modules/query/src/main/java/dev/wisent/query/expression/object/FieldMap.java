package dev.wisent.query.expression.object;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fields of a document that is being put together; one that is set again keeps its place. */
final class FieldMap {
  private final Map<String, RawValue> fields = new LinkedHashMap<>();
  private long bytes;

  void put(String name, RawValue value) {
    fields.put(name, value);
    bytes += name.length() + value.length();
    ArrayBuilder.checkSize(bytes);
  }

  void remove(String name) {
    fields.remove(name);
  }

  void putAll(RawDocument document) {
    ElementCursor elements = document.elements();
    while (elements.next()) {
      put(elements.name(), elements.value());
    }
  }

  RawValue toValue() {
    var out = new BsonBuilder();
    fields.forEach(out::append);
    return RawValue.ofDocument(out.toDocument());
  }
}
