package dev.wisent.query.schema;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** {@code not}: another schema does not match. */
record NotRule(JsonSchema schema) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    if (!keyword.value().isDocument()) {
      throw keyword.wrongType(
          "must be an object, but found an element of type " + Keyword.typeOf(keyword.value()));
    }
    return new NotRule(SchemaParser.parseBeside(keyword.value().asDocument(), keyword));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ANY;
  }

  @Override
  public boolean matches(RawValue value) {
    return !schema.matches(value);
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    errors.add(explanation.operator("not").reason("child expression matched").toDocument());
  }
}
