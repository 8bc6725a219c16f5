package dev.wisent.query.schema;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code properties}: the schemas of fields. Fields that are missing are in order. */
record PropertiesRule(List<Property> properties, WorkMeter meter) implements SchemaRule {
  /**
   * A field and its schema.
   *
   * @param name MongoDB reads it as a path
   * @param required whether the schema is asked about a missing field too
   */
  private record Property(FieldPath name, boolean required, JsonSchema schema) {
    boolean matches(RawDocument document) {
      RawValue value = PathWalk.get(document, name);
      return (value == null && !required) || schema.matches(value);
    }
  }

  PropertiesRule {
    properties = List.copyOf(properties);
  }

  static SchemaRule parse(Keyword keyword) {
    Keyword required = keyword.sibling("required");
    Set<String> names = required == null ? Set.of() : RequiredRule.names(required);
    var properties = new ArrayList<Property>();
    ElementCursor elements = keyword.object().elements();
    while (elements.next()) {
      String name = elements.name();
      if (elements.type() != ElementType.DOCUMENT) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "Nested schema for $jsonSchema property '" + name + "' must be an object");
      }
      JsonSchema schema = SchemaParser.parseNested(elements.value().asDocument(), keyword);
      properties.add(new Property(FieldPath.of(name), names.contains(name), schema));
    }
    return new PropertiesRule(properties, keyword.meter());
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
  }

  @Override
  public boolean matches(RawValue value) {
    RawDocument document = value.asDocument();
    for (int i = 0; i < properties.size(); i++) {
      meter.add(document.length());
      if (!properties.get(i).matches(document)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    RawDocument document = value.asDocument();
    var details = new ArrayList<RawDocument>();
    for (Property property : properties) {
      if (!property.matches(document)) {
        explain(property, PathWalk.get(document, property.name), explanation, details);
      }
    }
    if (!details.isEmpty()) {
      errors.add(
          explanation
              .operator("properties")
              .details("propertiesNotSatisfied", details)
              .toDocument());
    }
  }

  private static void explain(
      Property property, RawValue value, Explanation explanation, List<RawDocument> errors) {
    List<RawDocument> details = property.schema.errors(value, explanation);
    if (!details.isEmpty()) {
      errors.add(
          explanation
              .detail()
              .text("propertyName", property.name.dotted())
              .annotations(property.schema)
              .details("details", details)
              .toDocument());
    }
  }
}
