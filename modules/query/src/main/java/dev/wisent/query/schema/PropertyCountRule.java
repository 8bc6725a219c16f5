package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code minProperties} and {@code maxProperties}. */
record PropertyCountRule(Keyword keyword, CountLimit limit) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new PropertyCountRule(keyword, CountLimit.of(keyword));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
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
            .reason("specified number of properties was not satisfied")
            .number("numberOfProperties", value.asDocument().fieldCount())
            .toDocument());
  }
}
