package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code minItems} and {@code maxItems}. */
record ItemCountRule(Keyword keyword, CountLimit limit) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new ItemCountRule(keyword, CountLimit.of(keyword));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ARRAY;
  }

  @Override
  public boolean matches(RawValue value) {
    return limit.allows(value.asDocument().fieldCount());
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
