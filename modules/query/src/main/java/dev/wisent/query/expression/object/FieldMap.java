package dev.wisent.query.expression.object;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Values;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fields of a document that is being put together; one that is set again keeps its place. */
public final class FieldMap {
  /** What a field takes beside its name and value, roughly. */
  private static final long FIELD_BYTES = 160;

  private final Map<String, RawValue> fields = new LinkedHashMap<>();
  private long bytes;

  void put(String name, RawValue value) {
    RawValue before = fields.put(name, value);
    bytes += before == null ? name.length() + value.length() : value.length() - before.length();
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

  /** Adds the fields of a document to which {@code $mergeObjects} is applied. */
  public void merge(RawValue document) {
    if (Values.isNullish(document)) {
      return;
    }
    if (!document.isDocument()) {
      throw new CommandException(
          ErrorCode.MERGE_OBJECTS_NOT_OBJECT,
          "$mergeObjects requires object inputs, but input "
              + Values.text(document)
              + " is of type "
              + Values.typeName(document));
    }
    putAll(document.asDocument());
  }

  /** The bytes of memory that are held, roughly. */
  public long bytes() {
    return bytes + FIELD_BYTES * fields.size();
  }

  public RawValue toValue() {
    var out = new BsonBuilder();
    fields.forEach(out::append);
    return RawValue.ofDocument(out.toDocument());
  }
}
