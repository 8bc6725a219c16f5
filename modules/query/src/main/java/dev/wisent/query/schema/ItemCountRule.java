package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code minItems} and {@code maxItems}. */
record ItemCountRule(Keyword keyword, boolean maximum, long count) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new ItemCountRule(keyword, keyword.name().equals("maxItems"), keyword.count());
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ARRAY;
  }

  @Override
  public boolean matches(RawValue value) {
    int items = value.asDocument().fieldCount();
    return maximum ? items <= count : items >= count;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(
        explanation
            .operator(keyword.name())
            .specifiedAs(keyword.name(), keyword.value())
            .reason("array did not match specified length")
            .consideredValue(value)
            .number("numberOfItems", value.asDocument().fieldCount())
            .toDocument());
  }
}
