package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/**
 * {@code enum}: one of the values.
 *
 * @param impossible whether it is about documents and lists none
 */
record EnumRule(Keyword keyword, UnorderedValues values, boolean impossible) implements SchemaRule {
  static SchemaRule parse(Keyword keyword) {
    if (!keyword.value().isArray()) {
      throw keyword.wrongType(
          "must be an array, but found an element of type " + Keyword.typeOf(keyword.value()));
    }
    var values = new UnorderedValues();
    boolean impossible = keyword.top();
    boolean empty = true;
    ElementCursor elements = keyword.value().elements();
    while (elements.next()) {
      RawValue value = elements.value();
      if (!values.add(value)) {
        throw keyword.failedToParse("array cannot contain duplicate values.");
      }
      impossible &= !value.isDocument();
      empty = false;
    }
    if (empty) {
      throw keyword.failedToParse("cannot be an empty array");
    }
    return new EnumRule(keyword, values, impossible);
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ANY;
  }

  @Override
  public boolean matches(RawValue value) {
    return value != null && values.contains(value);
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    if (value == null) {
      return;
    }
    ErrorDetail error =
        explanation.operator(keyword.name()).specifiedAs(keyword.name(), keyword.value());
    errors.add(
        impossible
            ? error.reason("expression always evaluates to false").toDocument()
            : error.reason("value was not found in enum").consideredValue(value).toDocument());
  }
}
