package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** {@code items}: one schema for all items, or a list of schemas for the first ones. */
final class ItemsRule {
  private ItemsRule() {}

  static SchemaRule parse(Keyword keyword) {
    return switch (keyword.value().type()) {
      case ElementType.DOCUMENT ->
          new AllItems(keyword, 0, SchemaParser.parseNested(keyword.value().asDocument(), keyword));
      case ElementType.ARRAY -> new FirstItems(parseList(keyword));
      default ->
          throw keyword.wrongType(
              "must be an array or an object, not " + Keyword.typeOf(keyword.value()));
    };
  }

  private static List<JsonSchema> parseList(Keyword keyword) {
    var schemas = new ArrayList<JsonSchema>();
    ElementCursor elements = keyword.value().elements();
    while (elements.next()) {
      if (elements.type() != ElementType.DOCUMENT) {
        throw keyword.wrongType(
            "requires that each element of the array is an object, but found a "
                + ElementType.alias(elements.type()));
      }
      schemas.add(SchemaParser.parseNested(elements.value().asDocument(), keyword));
    }
    return List.copyOf(schemas);
  }

  /** All items from one on are of one schema. */
  record AllItems(Keyword keyword, int from, JsonSchema schema) implements SchemaRule {
    @Override
    public SchemaTarget target() {
      return SchemaTarget.ARRAY;
    }

    @Override
    public boolean matches(RawValue value) {
      ElementCursor items = value.elements();
      for (int i = 0; items.next(); i++) {
        if (i >= from && !schema.matches(items.value())) {
          return false;
        }
      }
      return true;
    }

    /** Tells of the first wrong item only. */
    @Override
    public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
      ElementCursor items = value.elements();
      for (int i = 0; items.next(); i++) {
        RawValue item = items.value();
        if (i >= from && !schema.matches(item)) {
          String which = keyword.name().equals("items") ? "item" : "additional item";
          ErrorDetail error =
              explanation
                  .operator(keyword.name())
                  .annotations(schema)
                  .reason("At least one " + which + " did not match the sub-schema")
                  .number("itemIndex", i);
          errors.add(schema.explainInto(error, item, explanation).toDocument());
          return;
        }
      }
    }
  }

  /** Each of the first items has its schema. */
  private record FirstItems(List<JsonSchema> schemas) implements SchemaRule {
    @Override
    public SchemaTarget target() {
      return SchemaTarget.ARRAY;
    }

    @Override
    public boolean matches(RawValue value) {
      ElementCursor items = value.elements();
      for (int i = 0; i < schemas.size() && items.next(); i++) {
        if (!schemas.get(i).matches(items.value())) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
      var details = new ArrayList<RawDocument>();
      ElementCursor items = value.elements();
      for (int i = 0; i < schemas.size() && items.next(); i++) {
        JsonSchema schema = schemas.get(i);
        RawValue item = items.value();
        if (!schema.matches(item)) {
          ErrorDetail error = explanation.detail().number("itemIndex", i);
          details.add(schema.explainInto(error, item, explanation).toDocument());
        }
      }
      errors.add(explanation.operator("items").details("details", details).toDocument());
    }
  }
}
