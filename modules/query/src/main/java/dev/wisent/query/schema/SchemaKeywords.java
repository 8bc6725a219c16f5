package dev.wisent.query.schema;

import dev.wisent.query.schema.SchemaKeyword.Parser;
import dev.wisent.query.schema.SchemaKeyword.Support;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of schema keywords. Broken rules are reported in this order, which is MongoDB's; {@code
 * type} and {@code bsonType} come last.
 */
public final class SchemaKeywords {
  private static final List<SchemaKeyword> ROWS =
      List.of(
          rule("pattern", PatternRule::parse),
          rule("maxLength", StringLengthRule::parse),
          rule("minLength", StringLengthRule::parse),
          rule("multipleOf", MultipleOfRule::parse),
          rule("maximum", RangeRule::parse),
          rule("exclusiveMaximum", RangeRule::parseExclusive),
          rule("minimum", RangeRule::parse),
          rule("exclusiveMinimum", RangeRule::parseExclusive),
          rule("minItems", ItemCountRule::parse),
          rule("maxItems", ItemCountRule::parse),
          rule("uniqueItems", UniqueItemsRule::parse),
          rule("items", ItemsRule::parse),
          rule("additionalItems", AdditionalItemsRule::parse),
          rule("properties", PropertiesRule::parse),
          rule("patternProperties", AllowedPropertiesRule::parse),
          rule("additionalProperties", AllowedPropertiesRule::parseUnlessPatterns),
          rule("required", RequiredRule::parse),
          rule("minProperties", PropertyCountRule::parse),
          rule("maxProperties", PropertyCountRule::parse),
          rule("dependencies", DependenciesRule::parse),
          rule("allOf", SubschemasRule::parse),
          rule("anyOf", SubschemasRule::parse),
          rule("oneOf", SubschemasRule::parse),
          rule("not", NotRule::parse),
          rule("enum", EnumRule::parse),
          rule("type", null),
          rule("bsonType", null),
          rule("title", null),
          rule("description", null),
          refused("$ref"),
          refused("$schema"),
          refused("default"),
          refused("definitions"),
          refused("format"),
          refused("id"),
          new SchemaKeyword("encrypt", Support.ENCRYPTION, null),
          new SchemaKeyword("encryptMetadata", Support.ENCRYPTION, null));

  private static final Map<String, SchemaKeyword> BY_NAME =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(SchemaKeyword::name, Function.identity()));

  private SchemaKeywords() {}

  public static List<SchemaKeyword> rows() {
    return ROWS;
  }

  /** The row of a keyword, or null. */
  static SchemaKeyword find(String name) {
    return BY_NAME.get(name);
  }

  private static SchemaKeyword rule(String name, Parser parser) {
    return new SchemaKeyword(name, Support.SUPPORTED, parser);
  }

  private static SchemaKeyword refused(String name) {
    return new SchemaKeyword(name, Support.REFUSED, null);
  }
}
