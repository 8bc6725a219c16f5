package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code uniqueItems}: no two items are the same, whatever the order of their fields. */
record UniqueItemsRule(Keyword keyword) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return keyword.bool() ? new UniqueItemsRule(keyword) : null;
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ARRAY;
  }

  @Override
  public boolean matches(RawValue value) {
    return firstDuplicate(value) == null;
  }

  private static RawValue firstDuplicate(RawValue array) {
    var seen = new UnorderedValues();
    ElementCursor items = array.elements();
    while (items.next()) {
      RawValue item = items.value();
      if (!seen.add(item)) {
        return item;
      }
    }
    return null;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .reason("found a duplicate item")
            .consideredValue(value)
            .value("duplicatedValue", firstDuplicate(value))
            .toDocument());
  }
}
