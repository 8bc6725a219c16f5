package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** {@code additionalItems}: what may follow the items that {@code items} lists, if anything. */
final class AdditionalItemsRule {
  private AdditionalItemsRule() {}

  static SchemaRule parse(Keyword keyword) {
    RawValue value = keyword.value();
    boolean allowed = value.type() != ElementType.BOOLEAN || value.asBoolean();
    if (value.type() != ElementType.BOOLEAN && !value.isDocument()) {
      throw keyword.wrongType(
          "must be either an object or a boolean, but got a " + Keyword.typeOf(value));
    }
    JsonSchema schema =
        value.isDocument() ? SchemaParser.parseNested(value.asDocument(), keyword) : null;
    Keyword items = keyword.sibling("items");
    if (items == null || !items.value().isArray()) {
      return null;
    }
    int from = items.value().asDocument().fieldCount();
    if (schema != null) {
      return new ItemsRule.AllItems(keyword, from, schema);
    }
    return allowed ? null : new NoMoreItems(keyword, from);
  }

  private record NoMoreItems(Keyword keyword, int from) implements SchemaRule {
    @Override
    public SchemaTarget target() {
      return SchemaTarget.ARRAY;
    }

    @Override
    public boolean matches(RawValue value) {
      return value.asDocument().fieldCount() <= from;
    }

    @Override
    public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
      var additional = new ArrayList<RawValue>();
      ElementCursor items = value.elements();
      for (int i = 0; items.next(); i++) {
        if (i >= from) {
          additional.add(items.value());
        }
      }
      errors.add(
          explanation
              .operator(keyword.name())
              .specifiedAs(keyword.name(), keyword.value())
              .reason("found additional items")
              .values("additionalItems", additional)
              .toDocument());
    }
  }
}
