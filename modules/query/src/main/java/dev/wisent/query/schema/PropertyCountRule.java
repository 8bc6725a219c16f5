package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code minProperties} and {@code maxProperties}. */
record PropertyCountRule(Keyword keyword, boolean maximum, long count) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    return new PropertyCountRule(keyword, keyword.name().equals("maxProperties"), keyword.count());
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
  }

  @Override
  public boolean matches(RawValue value) {
    int properties = value.asDocument().fieldCount();
    return maximum ? properties <= count : properties >= count;
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
