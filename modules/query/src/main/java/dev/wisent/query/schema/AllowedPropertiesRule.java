package dev.wisent.query.schema;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.RegexMatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code patternProperties} and {@code additionalProperties}: the schemas of fields by the pattern
 * of their name, and what else is allowed beside them and the named {@code properties}.
 *
 * @param othersAllowed whether there may be other fields
 * @param others the schema of other fields; null where any will do
 */
record AllowedPropertiesRule(
    Set<String> named, List<Pattern> patterns, boolean othersAllowed, JsonSchema others)
    implements SchemaRule {
  /** A pattern of names and the schema of fields with such names. */
  private record Pattern(RegexMatch name, JsonSchema schema) {}

  AllowedPropertiesRule {
    named = Set.copyOf(named);
    patterns = List.copyOf(patterns);
  }

  /** One rule stands for both keywords; where both are there, the first makes it. */
  static SchemaRule parseUnlessPatterns(Keyword additional) {
    return additional.sibling("patternProperties") == null ? parse(null, additional) : null;
  }

  static SchemaRule parse(Keyword patterns) {
    return parse(patterns, patterns.sibling("additionalProperties"));
  }

  private static SchemaRule parse(Keyword patterns, Keyword additional) {
    var named = new HashSet<String>();
    Keyword any = patterns == null ? additional : patterns;
    Keyword properties = any.sibling("properties");
    if (properties != null) {
      ElementCursor elements = properties.object().elements();
      while (elements.next()) {
        named.add(elements.name());
      }
    }
    List<Pattern> parsed = patterns == null ? List.of() : parsePatterns(patterns);
    if (additional == null) {
      return new AllowedPropertiesRule(named, parsed, true, null);
    }
    return switch (additional.value().type()) {
      case ElementType.BOOLEAN ->
          new AllowedPropertiesRule(named, parsed, additional.value().asBoolean(), null);
      case ElementType.DOCUMENT ->
          new AllowedPropertiesRule(
              named,
              parsed,
              true,
              SchemaParser.parseNested(additional.value().asDocument(), additional));
      default -> throw additional.wrongType("must be an object or a boolean");
    };
  }

  private static List<Pattern> parsePatterns(Keyword keyword) {
    var patterns = new ArrayList<Pattern>();
    ElementCursor elements = keyword.object().elements();
    while (elements.next()) {
      String name = elements.name();
      if (elements.type() != ElementType.DOCUMENT) {
        throw keyword.wrongType("has property '" + name + "' which is not an object");
      }
      JsonSchema schema = SchemaParser.parseNested(elements.value().asDocument(), keyword);
      patterns.add(new Pattern(RegexMatch.ofPattern(name, keyword.meter()), schema));
    }
    return patterns;
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.OBJECT;
  }

  @Override
  public boolean matches(RawValue value) {
    ElementCursor fields = value.elements();
    while (fields.next()) {
      if (!allows(fields.name(), fields.value())) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(String name, RawValue value) {
    boolean known = named.contains(name);
    for (int i = 0; i < patterns.size(); i++) {
      Pattern pattern = patterns.get(i);
      if (pattern.name.matchesText(name)) {
        known = true;
        if (!pattern.schema.matches(value)) {
          return false;
        }
      }
    }
    return known || allowsOther(value);
  }

  private boolean allowsOther(RawValue value) {
    return othersAllowed && (others == null || others.matches(value));
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    explainOthers(value, explanation, errors);
    var details = new ArrayList<RawDocument>();
    for (Pattern pattern : patterns) {
      explain(pattern, value, explanation, details);
    }
    if (!details.isEmpty()) {
      errors.add(
          explanation.operator("patternProperties").details("details", details).toDocument());
    }
  }

  private void explainOthers(RawValue value, Explanation explanation, List<RawDocument> errors) {
    var forbidden = new ArrayList<String>();
    ElementCursor fields = value.elements();
    while (fields.next()) {
      String name = fields.name();
      RawValue field = fields.value();
      if (!isOther(name) || allowsOther(field)) {
        continue;
      }
      if (others != null) {
        ErrorDetail error =
            explanation
                .operator("additionalProperties")
                .annotations(others)
                .reason("at least one additional property did not match the subschema")
                .text("failingProperty", name);
        errors.add(others.explainInto(error, field, explanation).toDocument());
        return;
      }
      forbidden.add(name);
    }
    if (!forbidden.isEmpty()) {
      errors.add(
          explanation
              .operator("additionalProperties")
              .specifiedAs("additionalProperties", RawValue.FALSE)
              .texts("additionalProperties", forbidden)
              .toDocument());
    }
  }

  private boolean isOther(String name) {
    return !named.contains(name)
        && patterns.stream().noneMatch(pattern -> pattern.name.matchesText(name));
  }

  /** Tells of the first wrong field of each pattern only. */
  private static void explain(
      Pattern pattern, RawValue value, Explanation explanation, List<RawDocument> errors) {
    ElementCursor fields = value.elements();
    while (fields.next()) {
      String name = fields.name();
      RawValue field = fields.value();
      if (pattern.name.matchesText(name) && !pattern.schema.matches(field)) {
        ErrorDetail error =
            explanation
                .detail()
                .text("propertyName", name)
                .annotations(pattern.schema)
                .text("regexMatched", pattern.name.pattern());
        errors.add(pattern.schema.explainInto(error, field, explanation).toDocument());
        return;
      }
    }
  }
}
