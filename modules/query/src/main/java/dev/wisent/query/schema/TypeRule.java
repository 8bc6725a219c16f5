package dev.wisent.query.schema;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.TypeMatch;
import dev.wisent.query.path.FieldPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The keyword for types with the names of JSON Schema, and the one with those of BSON. */
record TypeRule(String keyword, RawValue argument, TypeMatch types) implements SchemaRule {
  private static final FieldPath NO_PATH = FieldPath.of("");
  private static final Map<String, String> JSON_TYPES =
      Map.of(
          "array", "array",
          "boolean", "bool",
          "null", "null",
          "number", "number",
          "object", "object",
          "string", "string");

  static TypeRule parse(Keyword keyword) {
    long types = 0;
    for (String alias : aliases(keyword)) {
      types |= TypeMatch.typesOfAlias(keyword.name().equals("type") ? jsonType(alias) : alias);
    }
    if (types == 0) {
      throw keyword.failedToParse("must name at least one type");
    }
    return new TypeRule(
        keyword.name(), keyword.value(), new TypeMatch(NO_PATH, types, keyword.meter()));
  }

  private static Set<String> aliases(Keyword keyword) {
    RawValue value = keyword.value();
    if (value.isString()) {
      return Set.of(known(value.asString()));
    }
    if (!value.isArray()) {
      throw keyword.wrongType("must be either a string or an array of strings");
    }
    var aliases = new LinkedHashSet<String>();
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (elements.type() != ElementType.STRING) {
        throw keyword.wrongType("array elements must be strings");
      }
      String alias = known(elements.value().asString());
      if (!aliases.add(alias)) {
        throw keyword.failedToParse("has duplicate value: " + alias);
      }
    }
    return aliases;
  }

  private static String known(String alias) {
    if (alias.equals("integer")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "$jsonSchema type 'integer' is not currently supported.");
    }
    return alias;
  }

  /** An alias that JSON Schema does not have is unknown, also where BSON has it. */
  private static String jsonType(String alias) {
    String type = JSON_TYPES.get(alias);
    if (type == null) {
      throw TypeMatch.unknownAlias(alias);
    }
    return type;
  }

  /** Whether a rule about the target can still matter: not where one other type is demanded. */
  boolean leavesRoomFor(SchemaTarget target) {
    if (target == SchemaTarget.ANY) {
      return true;
    }
    if (types.acceptsOnlyNumbers()) {
      return target == SchemaTarget.NUMBER;
    }
    if (Long.bitCount(types.types()) != 1) {
      return true;
    }
    return switch (target) {
      case ANY -> true;
      case NUMBER -> types.acceptsSomeNumber();
      case STRING -> types.accepts(ElementType.STRING);
      case ARRAY -> types.accepts(ElementType.ARRAY);
      case OBJECT -> types.accepts(ElementType.DOCUMENT);
    };
  }

  @Override
  public SchemaTarget target() {
    return SchemaTarget.ANY;
  }

  @Override
  public boolean matches(RawValue value) {
    return types.matchesValue(value);
  }

  @Override
  public void explain(RawValue value, Explanation explanation, List<RawDocument> errors) {
    if (value != null) {
      errors.add(
          explanation
              .operator(keyword)
              .specifiedAs(keyword, argument)
              .reason("type did not match")
              .consideredValue(value)
              .consideredTypes(List.of(value))
              .toDocument());
    }
  }
}
