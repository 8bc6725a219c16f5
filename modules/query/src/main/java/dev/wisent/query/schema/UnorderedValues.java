package dev.wisent.query.schema;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A set of values as schemas compare them: as queries do, but two documents are the same whatever
 * the order of their fields.
 */
final class UnorderedValues {
  private final TreeSet<RawValue> values = new TreeSet<>(ValueOrder::compare);

  /** Returns false where the value was there already. */
  boolean add(RawValue value) {
    return values.add(sorted(value));
  }

  boolean contains(RawValue value) {
    return values.contains(sorted(value));
  }

  /** The value with the fields of its documents in the order of their names. */
  private static RawValue sorted(RawValue value) {
    if (value.isDocument()) {
      var fields = new TreeMap<String, RawValue>();
      ElementCursor elements = value.elements();
      while (elements.next()) {
        fields.put(elements.name(), sorted(elements.value()));
      }
      var out = new BsonBuilder(value.length());
      fields.forEach(out::append);
      return RawValue.ofDocument(out.toDocument());
    }
    if (value.isArray()) {
      return RawValue.ofArray(sortedItems(value));
    }
    return value;
  }

  private static RawDocument sortedItems(RawValue array) {
    var out = new BsonBuilder(array.length());
    ElementCursor items = array.elements();
    for (int i = 0; items.next(); i++) {
      out.append(i, sorted(items.value()));
    }
    return out.toDocument();
  }
}
