package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** {@code allOf}, {@code anyOf} and {@code oneOf}: how many of the schemas match. */
record SubschemasRule(Keyword keyword, Demand demand, List<JsonSchema> schemas)
    implements SchemaRule {
  private enum Demand {
    ALL,
    ANY,
    ONE
  }

  static SchemaRule parse(Keyword keyword) {
    if (!keyword.value().isArray()) {
      throw keyword.wrongType("must be an array");
    }
    var schemas = new ArrayList<JsonSchema>();
    ElementCursor elements = keyword.value().elements();
    while (elements.next()) {
      if (elements.type() != ElementType.DOCUMENT) {
        throw keyword.wrongType(
            "must be an array of objects, but found an element of type "
                + ElementType.alias(elements.type()));
      }
      schemas.add(SchemaParser.parseBeside(elements.value().asDocument(), keyword));
    }
    if (schemas.isEmpty()) {
      throw keyword.badValue("must be a non-empty array");
    }
    Demand demand =
        switch (keyword.name()) {
          case "allOf" -> Demand.ALL;
          case "anyOf" -> Demand.ANY;
          default -> Demand.ONE;
        };
    return new SubschemasRule(keyword, demand, List.copyOf(schemas));
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ANY;
  }

  @Override
  public boolean matches(RawValue value) {
    int matching = 0;
    for (int i = 0; i < schemas.size(); i++) {
      if (schemas.get(i).matches(value)) {
        matching++;
        if (demand == Demand.ANY) {
          return true;
        }
      } else if (demand == Demand.ALL) {
        return false;
      }
    }
    return switch (demand) {
      case ALL -> true;
      case ANY -> false;
      case ONE -> matching == 1;
    };
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    var matching = new ArrayList<RawValue>();
    var details = new ArrayList<RawDocument>();
    for (int i = 0; i < schemas.size(); i++) {
      JsonSchema schema = schemas.get(i);
      if (schema.matches(value)) {
        matching.add(RawValue.ofInt32(i));
      } else {
        ErrorDetail error = explanation.detail().number("index", i).annotations(schema);
        details.add(schema.explainInto(error, value, explanation).toDocument());
      }
    }
    ErrorDetail error = explanation.operator(keyword.name());
    errors.add(
        demand == Demand.ONE && !matching.isEmpty()
            ? error
                .reason("more than one subschema matched")
                .values("matchingSchemaIndexes", matching)
                .toDocument()
            : error.details("schemasNotSatisfied", details).toDocument());
  }
}
