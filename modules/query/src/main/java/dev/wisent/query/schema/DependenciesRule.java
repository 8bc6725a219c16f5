package dev.wisent.query.schema;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** {@code dependencies}: where a field is there, others must be, or the document has a schema. */
record DependenciesRule(Keyword keyword, List<Dependency> dependencies) implements SchemaRule {
  /**
   * What one field entails.
   *
   * @param schema null where it entails other fields
   */
  private record Dependency(FieldPath field, List<FieldPath> others, JsonSchema schema) {
    boolean matches(RawValue value) {
      RawDocument document = value.asDocument();
      if (PathWalk.get(document, field) == null) {
        return true;
      }
      return schema == null
          ? RequiredRule.missing(document, others).isEmpty()
          : schema.matches(value);
    }
  }

  static SchemaRule parse(Keyword keyword) {
    var dependencies = new ArrayList<Dependency>();
    ElementCursor elements = keyword.object().elements();
    while (elements.next()) {
      String name = elements.name();
      FieldPath field = FieldPath.of(name);
      RawValue value = elements.value();
      switch (value.type()) {
        case ElementType.DOCUMENT -> {
          JsonSchema schema = SchemaParser.parseBeside(value.asDocument(), keyword);
          dependencies.add(new Dependency(field, List.of(), schema));
        }
        case ElementType.ARRAY ->
            dependencies.add(new Dependency(field, others(name, value), null));
        case ElementType.STRING -> requireAnnotation(name);
        default -> throw neitherObjectNorArray(name);
      }
    }
    return new DependenciesRule(keyword, dependencies);
  }

  private static List<FieldPath> others(String name, RawValue array) {
    var others = new LinkedHashSet<String>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (elements.type() != ElementType.STRING) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH,
            "array '"
                + name
                + "' in $jsonSchema keyword 'dependencies' can only contain strings, but found"
                + " element of type: "
                + ElementType.alias(elements.type()));
      }
      String other = elements.value().asString();
      if (!others.add(other)) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "array '"
                + name
                + "' in $jsonSchema keyword 'dependencies' contains duplicate element: "
                + other);
      }
    }
    if (others.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "property '" + name + "' in $jsonSchema keyword 'dependencies' cannot be an empty array");
    }
    return others.stream().map(FieldPath::of).toList();
  }

  /** A title or a description may stand among the dependencies. */
  private static void requireAnnotation(String name) {
    if (!name.equals("title") && !name.equals("description")) {
      throw neitherObjectNorArray(name);
    }
  }

  private static CommandException neitherObjectNorArray(String name) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "property '"
            + name
            + "' in $jsonSchema keyword 'dependencies' must be either an object or an array");
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
  }

  @Override
  public boolean matches(RawValue value) {
    for (int i = 0; i < dependencies.size(); i++) {
      keyword.meter().add(value.length() * (1 + dependencies.get(i).others.size()));
      if (!dependencies.get(i).matches(value)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    var details = new ArrayList<RawDocument>();
    for (Dependency dependency : dependencies) {
      if (!dependency.matches(value)) {
        details.add(explain(dependency, value, explanation));
      }
    }
    errors.add(
        explanation
            .operator(keyword.name())
            .annotations(keyword.value().asDocument())
            .details("failingDependencies", details)
            .toDocument());
  }

  private static RawDocument explain(
      Dependency dependency, RawValue value, Explanation explanation) {
    ErrorDetail error = explanation.detail().text("conditionalProperty", dependency.field.dotted());
    if (dependency.schema != null) {
      return dependency.schema.explainInto(error, value, explanation).toDocument();
    }
    return error
        .texts("missingProperties", RequiredRule.missing(value.asDocument(), dependency.others))
        .toDocument();
  }
}
